//! A terminal without a window: bytes in, and at any moment the screen they have drawn.
//!
//! The crate is pure. It does no I/O, reads no clock, is not async; given the same calls it gives
//! the same bytes. It never panics on input, takes time linear in it, and bounds all it keeps.
//!
//! ```
//! use vt::{Options, Scope, Size, Terminal, TextScope};
//!
//! let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, Options::default());
//! terminal.feed(b"\x1b[1mhello\x1b[m \xe4\xb8\x96\r\n");
//! terminal.feed(b"where am I? \x1b[6n");
//! assert_eq!(terminal.text(TextScope::Screen), "hello 世\nwhere am I?\n");
//!
//! // Queries are answered; the caller writes the answers to the program.
//! assert_eq!(terminal.poll_reply().as_deref(), Some(&b"\x1b[2;13R"[..]));
//!
//! // A snapshot rebuilds the terminal, here in another one.
//! let snapshot = terminal.snapshot(Scope::Full);
//! let mut viewer = Terminal::new(snapshot.size, Options::default());
//! viewer.feed(&snapshot.bytes);
//! assert_eq!(viewer.text(TextScope::Full), terminal.text(TextScope::Full));
//! ```
//!
//! Behaviour is that of xterm.js 6 with the widths of [`width`], because xterm.js draws for the
//! viewers: a snapshot fed to it gives the cells, cursor and modes that the original bytes would
//! have given. Read `screen` first, then `print`, `csi`, `snapshot`.

mod buffer;
mod cell;
mod charset;
mod clusters;
mod csi;
mod dcs;
mod edit;
mod events;
mod extras;
mod grid;
mod kitty;
mod modes;
mod num;
mod osc;
mod palette;
mod parser;
mod pen;
mod print;
mod reflow;
mod reply;
mod row;
mod screen;
mod scrollback;
mod sgr;
mod snapshot;
mod tabs;
mod text;
pub mod width;

pub use events::Event;
pub use modes::{CursorShape, Modes, Mouse, MouseEncoding};
pub use palette::{Rgb, Theme};
pub use text::TextScope;

use parser::Parser;
use screen::Screen;

/// Size of a screen in cells. Less than 2 columns or 1 row count as that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl Size {
    fn clamped(self) -> Self {
        Self { cols: self.cols.max(2), rows: self.rows.max(1) }
    }
}

/// Size of a cell in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    /// Width.
    pub width: u16,
    /// Height.
    pub height: u16,
}

impl Default for CellSize {
    /// What a browser commonly has.
    fn default() -> Self {
        Self { width: 8, height: 17 }
    }
}

/// What a terminal is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most rows of history. The oldest go first; they also go when rows take more than 8 KiB on
    /// average.
    pub scrollback_lines: usize,
}

impl Default for Options {
    /// 2,000 rows of history.
    fn default() -> Self {
        Self { scrollback_lines: 2000 }
    }
}

/// How much a snapshot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Both screens and all modes.
    Screen,
    /// History too: the newest, while the whole stays under 512 KiB.
    Full,
}

/// A terminal as bytes for a terminal that has just been reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Text and sequences. The stream goes on right behind them: a sequence or a character that
    /// was cut is begun at their end.
    pub bytes: Vec<u8>,
    /// Size that the terminal they are fed to must have.
    pub size: Size,
    /// How much they hold.
    pub scope: Scope,
    /// Rows of history among them.
    pub history_lines: usize,
}

/// Where the cursor is, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Column.
    pub x: u16,
    /// Row of the shown screen.
    pub y: u16,
    /// The cursor is past the last column: the next character wraps.
    pub wrap_pending: bool,
}

/// A terminal.
#[derive(Debug)]
pub struct Terminal {
    parser: Parser,
    screen: Screen,
}

impl Terminal {
    /// A blank terminal.
    #[must_use]
    pub fn new(size: Size, options: Options) -> Self {
        let screen = Screen::new(size.clamped(), options.scrollback_lines);
        Self { parser: Parser::default(), screen }
    }

    /// Takes the next bytes of a program's output; any cut of them gives the same result.
    pub fn feed(&mut self, bytes: &[u8]) {
        // In pieces, so that tables are collected while a long input fills them.
        for piece in bytes.chunks(64 * 1024) {
            self.parser.feed(piece, &mut self.screen);
            self.screen.collect();
        }
    }

    /// Takes a new size. Wrapped lines are laid out anew, margins reset.
    pub fn resize(&mut self, size: Size) {
        let size = size.clamped();
        self.screen.resize(size.cols.into(), size.rows.into());
    }

    /// The size.
    #[must_use]
    pub fn size(&self) -> Size {
        Size { cols: num::narrow(self.screen.cols), rows: num::narrow(self.screen.rows) }
    }

    /// Bytes that rebuild this terminal.
    #[must_use]
    pub fn snapshot(&self, scope: Scope) -> Snapshot {
        snapshot::snapshot(&self.screen, &self.parser, scope)
    }

    /// The next answer to a query, to be written to the program; `None` when all are polled.
    ///
    /// At most 64 KiB of answers wait; queries past that get none (see
    /// [`replies_dropped`](Self::replies_dropped)).
    pub fn poll_reply(&mut self) -> Option<Vec<u8>> {
        self.screen.replies.pop()
    }

    /// Queries that got no answer because too many were not polled.
    #[must_use]
    pub fn replies_dropped(&self) -> u64 {
        self.screen.replies.dropped
    }

    /// The next thing the program said beside its text. At most 64 wait; the oldest are forgotten.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.screen.events.0.pop_front()
    }

    /// Sets the colors that queries are answered from. A change between light and dark is reported
    /// to a program that asked for it, once.
    pub fn set_theme(&mut self, theme: Theme) {
        self.screen.set_theme(theme);
    }

    /// Sets the size that queries for pixels are answered from.
    pub fn set_cell_size(&mut self, size: CellSize) {
        self.screen.cell_size = size;
    }

    /// The modes.
    #[must_use]
    pub fn modes(&self) -> Modes {
        Modes { kitty: self.screen.buffer().keyboard.flags(), ..self.screen.modes }
    }

    /// The text in `scope`: lines ended by newlines, without blanks at their ends.
    #[must_use]
    pub fn text(&self, scope: TextScope) -> String {
        self.screen.text(scope)
    }

    /// Where the cursor is.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        let buffer = self.screen.buffer();
        let last = self.screen.cols - 1;
        Cursor {
            x: num::narrow(buffer.x.min(last)),
            y: num::narrow(buffer.y),
            wrap_pending: buffer.x > last,
        }
    }

    /// The title, empty if none was set.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.screen.title
    }

    /// The working directory the program last reported, as a path.
    #[must_use]
    pub fn cwd(&self) -> Option<String> {
        self.screen.cwd_path()
    }

    /// Bytes that undo what a program left switched on, for when it ended without doing so. They
    /// are part of the stream: feed them here, and send them to viewers.
    #[must_use]
    pub fn reset_modes(&self) -> Vec<u8> {
        snapshot::reset_modes(&self.screen, &self.parser)
    }

    /// Rows of history.
    #[must_use]
    pub fn history_lines(&self) -> usize {
        self.screen.scrollback.len()
    }

    /// Bytes that rows and history take on the heap; tables of clusters and links are bounded and
    /// commonly small.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let screens = [&self.screen.main, &self.screen.alt];
        let rows = screens.into_iter().flat_map(|buffer| buffer.grid.all());
        rows.map(row::Row::heap_bytes).sum::<usize>() + self.screen.scrollback.heap_bytes()
    }
}
