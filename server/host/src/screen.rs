//! A session's terminal: the state that its output has drawn, and what that says to others.
//!
//! The one place that knows both the terminal model and the wire. What programs ask of a terminal
//! is answered here, whoever watches: no viewer ever answers.

use vt::{CellSize, Mouse, Options, Rgb, Terminal};
use wire::browser::{Modes, Scope};
use wire::host::Theme;

use crate::pty::Size;

/// A session's terminal.
#[derive(Debug)]
pub(crate) struct Screen {
    terminal: Terminal,
    modes: Modes,
}

/// What has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// [`Screen::modes`].
    pub(crate) modes: bool,
    /// [`Screen::title`].
    pub(crate) title: bool,
}

impl Screen {
    /// A blank one.
    pub(crate) fn new(size: Size, theme: Option<&Theme>) -> Self {
        let mut terminal = Terminal::new(cells(size), Options::default());
        if let Some(theme) = theme.and_then(colors) {
            terminal.set_theme(theme);
        }
        let mut screen = Self { terminal, modes: Modes::default() };
        screen.set_cell(size);
        screen
    }

    /// Takes output.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Changed {
        self.terminal.feed(bytes);
        let mut changed = Changed::default();
        while let Some(event) = self.terminal.poll_event() {
            changed.title |= event == vt::Event::Title;
        }
        let modes = wire_modes(&self.terminal.modes());
        changed.modes = modes != self.modes;
        self.modes = modes;
        changed
    }

    /// The next answer to something the program has asked, to be written to it.
    pub(crate) fn poll_answer(&mut self) -> Option<Vec<u8>> {
        self.terminal.poll_reply()
    }

    /// Takes a new size.
    pub(crate) fn resize(&mut self, size: Size) {
        self.terminal.resize(cells(size));
        self.set_cell(size);
    }

    fn set_cell(&mut self, size: Size) {
        if let Some((width, height)) = size.cell {
            self.terminal.set_cell_size(CellSize { width, height });
        }
    }

    /// Takes a holder's colours; false when they are none.
    pub(crate) fn set_theme(&mut self, theme: &Theme) -> bool {
        let Some(colors) = colors(theme) else { return false };
        self.terminal.set_theme(colors);
        true
    }

    /// What the program asks of the terminal.
    pub(crate) fn modes(&self) -> Modes {
        self.modes
    }

    /// The title, plain text.
    pub(crate) fn title(&self) -> Option<&str> {
        Some(self.terminal.title()).filter(|title| !title.is_empty())
    }

    /// Bytes that rebuild it, and how much of it they are; none for a replay, which is no state.
    pub(crate) fn snapshot(&self, wanted: Scope) -> Option<(Scope, Vec<u8>)> {
        let scope = match wanted {
            Scope::Screen => vt::Scope::Screen,
            Scope::Full => vt::Scope::Full,
            Scope::Replay => return None,
        };
        Some((wanted, self.terminal.snapshot(scope).bytes))
    }
}

fn cells(size: Size) -> vt::Size {
    vt::Size { cols: size.cols, rows: size.rows }
}

fn wire_modes(modes: &vt::Modes) -> Modes {
    Modes {
        kitty: modes.kitty,
        paste: modes.bracketed_paste,
        mouse: modes.mouse != Mouse::Off,
        alt_screen: modes.alt_screen,
        app_cursor: modes.app_cursor,
    }
}

/// The model's colours; none when one of them is no `#rrggbb`.
fn colors(theme: &Theme) -> Option<vt::Theme> {
    let mut colors = vt::Theme {
        fg: color(&theme.fg)?,
        bg: color(&theme.bg)?,
        cursor: color(&theme.cursor)?,
        ..vt::Theme::default()
    };
    for (slot, text) in colors.palette.iter_mut().zip(&theme.palette) {
        *slot = color(text)?;
    }
    Some(colors)
}

fn color(text: &str) -> Option<Rgb> {
    let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6)?;
    let [_, red, green, blue] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    Some(Rgb(red, green, blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { cols: 80, rows: 24, cell: Some((9, 18)) };

    fn theme(bg: &str) -> Theme {
        Theme {
            fg: "#ffffff".to_owned(),
            bg: bg.to_owned(),
            cursor: "#ff0000".to_owned(),
            palette: Vec::new(),
        }
    }

    #[test]
    fn what_changes_is_told_once() {
        let mut screen = Screen::new(SIZE, None);
        assert_eq!(screen.feed(b"hi\x1b[?2004h"), Changed { modes: true, title: false });
        assert_eq!(screen.feed(b"\x1b]0;work\x07"), Changed { modes: false, title: true });
        assert_eq!(screen.feed(b"$ "), Changed::default());
        assert!(screen.modes().paste);
        assert_eq!(screen.title(), Some("work"));
    }

    #[test]
    fn programs_are_answered_with_the_holders_colours_and_cells() {
        let mut screen = Screen::new(SIZE, Some(&theme("#102030")));
        screen.feed(b"\x1b]11;?\x07\x1b[14t");
        let answers: Vec<String> = std::iter::from_fn(|| screen.poll_answer())
            .map(|answer| String::from_utf8(answer).unwrap())
            .collect();
        assert!(answers[0].contains("1010/2020/3030"), "{answers:?}");
        assert!(answers[1].contains("432;720"), "{answers:?}");
        assert!(!screen.set_theme(&theme("blue")));
    }

    #[test]
    fn a_snapshot_redraws_and_a_replay_is_none() {
        let mut screen = Screen::new(SIZE, None);
        screen.feed(b"\x1b[1mhello");
        let (scope, bytes) = screen.snapshot(Scope::Screen).unwrap();
        assert_eq!(scope, Scope::Screen);
        assert!(String::from_utf8_lossy(&bytes).contains("hello"));
        assert_eq!(screen.snapshot(Scope::Replay), None);
    }
}
