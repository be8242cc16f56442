//! Answers to queries, in the order of the queries.
//!
//! They are typed to the program, so none holds a control character a program could have put
//! there, and none ends in a newline.

use std::collections::VecDeque;

use crate::palette::Theme;
use crate::screen::Screen;

/// Most bytes of answers waiting. A program that asks without reading gets no further answers
/// until someone has polled these.
const REPLIES_MAX_BYTES: usize = 64 * 1024;

/// What XTVERSION answers.
const VERSION: &str = concat!("glasshouse(", env!("CARGO_PKG_VERSION"), ")");

/// Answers not yet polled.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    queue: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Answers that found no room.
    pub(crate) dropped: u64,
}

impl Replies {
    fn push(&mut self, reply: &[u8]) {
        if self.bytes + reply.len() > REPLIES_MAX_BYTES {
            self.dropped += 1;
            return;
        }
        self.bytes += reply.len();
        self.queue.push_back(reply.to_vec());
    }

    /// The oldest answer.
    pub(crate) fn pop(&mut self) -> Option<Vec<u8>> {
        let reply = self.queue.pop_front()?;
        self.bytes -= reply.len();
        Some(reply)
    }
}

impl Screen {
    /// Queues an answer.
    pub(crate) fn reply(&mut self, reply: &[u8]) {
        self.replies.push(reply);
    }

    /// Queues an answer in the form of an OSC, ended as the query was.
    pub(crate) fn reply_osc(&mut self, payload: &str, bell: bool) {
        let end = if bell { "\x07" } else { "\x1b\\" };
        self.reply(format!("\x1b]{payload}{end}").as_bytes());
    }

    /// DA1: a VT220 with colors.
    pub(crate) fn reply_primary_attributes(&mut self, what: i32) {
        if what <= 0 {
            self.reply(b"\x1b[?62;22c");
        }
    }

    /// DA2: the version is the one xterm.js gives.
    pub(crate) fn reply_secondary_attributes(&mut self, what: i32) {
        if what <= 0 {
            self.reply(b"\x1b[>0;276;0c");
        }
    }

    /// DA3.
    pub(crate) fn reply_tertiary_attributes(&mut self, what: i32) {
        if what <= 0 {
            self.reply(b"\x1bP!|00000000\x1b\\");
        }
    }

    /// XTVERSION.
    pub(crate) fn reply_version(&mut self, what: i32) {
        if what <= 0 {
            self.reply(format!("\x1bP>|{VERSION}\x1b\\").as_bytes());
        }
    }

    /// Row and column of the cursor as CPR counts them.
    fn report_position(&self) -> (usize, usize) {
        let buffer = self.buffer();
        let top = if self.modes.origin { buffer.top } else { 0 };
        (buffer.y.saturating_sub(top) + 1, buffer.x.min(self.cols - 1) + 1)
    }

    /// DSR.
    pub(crate) fn reply_status(&mut self, what: i32) {
        match what {
            5 => self.reply(b"\x1b[0n"),
            6 => {
                let (row, column) = self.report_position();
                self.reply(format!("\x1b[{row};{column}R").as_bytes());
            }
            _ => {}
        }
    }

    /// DEC's DSR, and the question for light or dark (996).
    pub(crate) fn reply_private_status(&mut self, what: i32) {
        match what {
            6 => {
                let (row, column) = self.report_position();
                self.reply(format!("\x1b[?{row};{column}R").as_bytes());
            }
            996 => self.report_theme(),
            _ => {}
        }
    }

    fn report_theme(&mut self) {
        let kind = if self.theme.is_dark() { 1 } else { 2 };
        self.reply(format!("\x1b[?997;{kind}n").as_bytes());
    }

    /// Takes a new theme; a program that asked to hear of a change between light and dark does.
    pub(crate) fn set_theme(&mut self, theme: Theme) {
        let changed = theme.is_dark() != self.theme.is_dark();
        self.theme = theme;
        if changed && self.modes.theme_reports {
            self.report_theme();
        }
    }

    /// DECRQM.
    pub(crate) fn reply_mode(&mut self, mode: i32, private: bool) {
        let (mark, state) = if private {
            ("?", self.modes.report_private(mode))
        } else {
            ("", self.modes.report_ansi(mode))
        };
        self.reply(format!("\x1b[{mark}{mode};{state}$y").as_bytes());
    }

    /// `CSI ? u`.
    pub(crate) fn reply_keyboard(&mut self) {
        let flags = self.buffer().keyboard.flags();
        self.reply(format!("\x1b[?{flags}u").as_bytes());
    }

    /// Sizes: of the screen (14) and a cell (16) in pixels, of the screen in cells (18).
    pub(crate) fn reply_window(&mut self, what: i32) {
        let (width, height) =
            (usize::from(self.cell_size.width), usize::from(self.cell_size.height));
        let reply = match what {
            14 => format!("\x1b[4;{};{}t", height * self.rows, width * self.cols),
            16 => format!("\x1b[6;{height};{width}t"),
            18 => format!("\x1b[8;{};{}t", self.rows, self.cols),
            _ => return,
        };
        self.reply(reply.as_bytes());
    }
}
