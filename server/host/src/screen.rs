//! What a session's output says about its terminal.
//!
//! The seam to the terminal model: until that is here, only modes and title are told, by a scanner
//! that knows the few sequences it needs, and there is no snapshot.

use wire::browser::Modes;

/// Most characters of a title.
const TITLE_CHARS: usize = 256;
/// Most bytes of a sequence that are kept; what is longer is none we know.
const KEPT_BYTES: usize = 1024;
/// Most kitty keyboard states that a program may stack.
const KITTY_STACK: usize = 16;

/// A session's terminal, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    state: State,
    /// The sequence so far, after its introducer.
    kept: Vec<u8>,
    modes: Modes,
    /// Mouse modes that are set, one bit each.
    mouse: u8,
    /// Kitty keyboard flags below the ones in force.
    kitty: Vec<u8>,
    title: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    Escape,
    Csi,
    Osc,
    /// ESC within OSC: the first half of its end.
    OscEscape,
    /// DCS, SOS, PM, APC: nothing in them is ours.
    Other,
    OtherEscape,
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
    /// What the program asks of the terminal.
    pub(crate) fn modes(&self) -> Modes {
        self.modes
    }

    /// The title, plain text.
    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Takes output.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Changed {
        let (modes, title) = (self.modes, self.title.clone());
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.state == State::Ground {
                let Some(at) = rest.iter().position(|&byte| byte == 0x1b) else { break };
                self.state = State::Escape;
                rest = rest.get(at + 1..).unwrap_or_default();
            } else if let Some((&byte, tail)) = rest.split_first() {
                self.on_byte(byte);
                rest = tail;
            }
        }
        Changed { modes: modes != self.modes, title: title != self.title }
    }

    fn on_byte(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            // CAN and SUB end everything.
            (_, 0x18 | 0x1a) => State::Ground,
            (State::Escape, b'[') => self.begin(State::Csi),
            (State::Escape, b']') => self.begin(State::Osc),
            (State::Escape, b'P' | b'X' | b'^' | b'_') => State::Other,
            (State::Escape, b'c') => {
                let title = self.title.take();
                *self = Self { title, ..Self::default() };
                State::Ground
            }
            (State::Escape | State::Csi, 0x1b) => State::Escape,
            (State::Csi, 0x40..=0x7e) => {
                self.on_csi(byte);
                State::Ground
            }
            (State::Osc, 0x07) => self.on_osc(),
            (State::Osc, 0x1b) => State::OscEscape,
            (State::OscEscape, b'\\') => self.on_osc(),
            (State::Other, 0x1b) => State::OtherEscape,
            (State::Other, _) => State::Other,
            (State::OtherEscape, b'\\') => State::Ground,
            (State::OtherEscape | State::OscEscape, b'[') => self.begin(State::Csi),
            (State::OtherEscape | State::OscEscape, b']') => self.begin(State::Osc),
            (State::Csi | State::Osc, _) => {
                if self.kept.len() < KEPT_BYTES {
                    self.kept.push(byte);
                }
                self.state
            }
            (State::Escape | State::OscEscape | State::OtherEscape | State::Ground, _) => {
                State::Ground
            }
        };
    }

    fn begin(&mut self, state: State) -> State {
        self.kept.clear();
        state
    }

    fn on_csi(&mut self, last: u8) {
        let kept = std::mem::take(&mut self.kept);
        let Some((&private, params)) = kept.split_first() else { return };
        let mut params = params.split(|&byte| byte == b';').map(number);
        match (private, last) {
            (b'?', b'h' | b'l') => params.for_each(|mode| self.set(mode, last == b'h')),
            (b'>', b'u') => {
                if self.kitty.len() == KITTY_STACK {
                    self.kitty.remove(0);
                }
                self.kitty.push(self.modes.kitty);
                self.modes.kitty = flags(params.next());
            }
            (b'<', b'u') => {
                for _ in 0..params.next().unwrap_or(0).clamp(1, KITTY_STACK) {
                    self.modes.kitty = self.kitty.pop().unwrap_or(0);
                }
            }
            (b'=', b'u') => {
                let new = flags(params.next());
                self.modes.kitty = match params.next().unwrap_or(0) {
                    2 => self.modes.kitty | new,
                    3 => self.modes.kitty & !new,
                    _ => new,
                };
            }
            _ => {}
        }
    }

    fn set(&mut self, mode: usize, on: bool) {
        match mode {
            1 => self.modes.app_cursor = on,
            47 | 1047 | 1049 => self.modes.alt_screen = on,
            2004 => self.modes.paste = on,
            9 => self.set_mouse(1, on),
            1000 => self.set_mouse(2, on),
            1002 => self.set_mouse(4, on),
            1003 => self.set_mouse(8, on),
            _ => {}
        }
    }

    fn set_mouse(&mut self, bit: u8, on: bool) {
        self.mouse = if on { self.mouse | bit } else { self.mouse & !bit };
        self.modes.mouse = self.mouse != 0;
    }

    fn on_osc(&mut self) -> State {
        if let Some(title) = self.kept.strip_prefix(b"0;").or(self.kept.strip_prefix(b"2;")) {
            let text = String::from_utf8_lossy(title);
            let plain = text.chars().filter(|char| !char.is_control()).take(TITLE_CHARS).collect();
            self.title = Some(plain);
        }
        State::Ground
    }
}

/// A parameter; 0 when it is none.
fn number(param: &[u8]) -> usize {
    std::str::from_utf8(param).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Kitty keyboard flags: five bits.
fn flags(param: Option<usize>) -> u8 {
    u8::try_from(param.unwrap_or(0) & 31).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(bytes: &[u8]) -> Screen {
        let mut whole = Screen::default();
        whole.feed(bytes);
        let mut single = Screen::default();
        for byte in bytes {
            single.feed(&[*byte]);
        }
        assert_eq!((whole.modes, &whole.title), (single.modes, &single.title));
        whole
    }

    #[test]
    fn modes_follow_the_output() {
        assert!(fed(b"hi\x1b[?2004h$ ").modes().paste);
        assert!(!fed(b"\x1b[?2004h\x1b[?2004l").modes().paste);
        let vim = fed(b"\x1b[?1049h\x1b[?1;1000h\x1b[?1000l\x1b[?1002h").modes();
        assert!(vim.alt_screen && vim.app_cursor && vim.mouse);
        assert_eq!(fed(b"\x1b[>1u\x1b[>3u\x1b[<u").modes().kitty, 1);
        assert_eq!(fed(b"\x1b[=5;1u\x1b[=2;2u").modes().kitty, 7);
        assert_eq!(fed(b"\x1b[?2004h\x1bc").modes(), Modes::default());
    }

    #[test]
    fn what_looks_like_a_mode_inside_a_string_is_none() {
        assert!(!fed(b"\x1bP?2004h\x1b\\").modes().paste);
        assert!(!fed(b"\x1b[2004h").modes().paste);
        assert!(!fed(b"\x1b[?20\x182004h").modes().paste);
    }

    #[test]
    fn the_title_is_plain_and_short() {
        assert_eq!(fed(b"\x1b]0;work\x07").title(), Some("work"));
        assert_eq!(fed("\x1b]2;caf\u{e9}\x1b\\".as_bytes()).title(), Some("caf\u{e9}"));
        let long = [b"\x1b]2;".as_slice(), &[b'x'; 900], b"\x07"].concat();
        assert_eq!(fed(&long).title().map(str::len), Some(TITLE_CHARS));
        assert_eq!(fed(b"\x1b]8;;http://x\x07").title(), None);
    }
}
