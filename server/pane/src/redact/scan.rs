//! Bytes to text: a terminal's state machine that survives any cut.
//!
//! It decides what a reader sees of the stream, not what it means: text goes to the view; colours,
//! modes and strings stay in the output and are hidden from the view; a cursor move ends a word.
//! A string (title, link, device control) is held whole and redacted as a text of its own, except
//! OSC 52, the clipboard, which is dropped as it streams and is never stored.

mod strings;

use super::{
    cells::Columns,
    csi::{self, Effect},
    hold::{EDGE, Hold, LINE, MOVE},
};

/// Most bytes of an unfinished escape sequence that are held; a longer one is released as text.
pub(super) const ESCAPE_BYTES_MAX: usize = 16 * 1024;

const ESC: u8 = 0x1b;
/// The first byte of a C1 control in UTF-8.
const C1_LEAD: u8 = 0xc2;

/// Where in the stream's grammar the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Between sequences.
    Ground,
    /// After an incomplete UTF-8 character, which is in `pending`.
    Character,
    /// After ESC and perhaps intermediates.
    Escape,
    /// In a control sequence.
    Control,
    /// In a string; `body` is where its payload begins in `pending`.
    String { osc: bool, body: usize },
    /// In OSC 52; nothing of it is kept.
    Clipboard,
}

/// The tokenizer of one session's output.
#[derive(Debug)]
pub(super) struct Scanner {
    at: At,
    /// The raw bytes of the unfinished character or sequence.
    pending: Vec<u8>,
    columns: Columns,
    /// Whether the byte before was a carriage return, and the line was full there.
    after_return: Option<bool>,
}

impl Scanner {
    pub(super) fn new(cols: u16) -> Self {
        Self {
            at: At::Ground,
            pending: Vec::new(),
            columns: Columns::new(cols),
            after_return: None,
        }
    }

    pub(super) fn resize(&mut self, cols: u16) {
        self.columns.resize(cols);
    }

    /// Starts inside an OSC 52 string.
    pub(super) fn enter_clipboard(&mut self) {
        self.at = At::Clipboard;
    }

    /// Whether the bytes consumed so far end inside an OSC 52 string.
    pub(super) fn in_clipboard(&self) -> bool {
        self.at == At::Clipboard
    }

    /// Whether the next byte begins a character in the ground state.
    pub(super) fn is_ground(&self) -> bool {
        self.at == At::Ground && self.after_return.is_none()
    }

    /// Raw bytes of the unfinished character or sequence.
    pub(super) fn pending_bytes(&self) -> usize {
        self.pending.len()
    }

    /// Forgets the unfinished character or sequence.
    pub(super) fn drop_pending(&mut self) {
        self.pending.clear();
        self.at = At::Ground;
    }

    /// Records plain text that passed by without being scanned.
    pub(super) fn skip_plain(&mut self, text: &str) {
        self.columns.print_lines(text);
    }

    /// Takes `raw` into `hold`; `redact` hides what is secret in the payload of a string.
    pub(super) fn feed(
        &mut self,
        mut raw: &[u8],
        hold: &mut Hold,
        redact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) {
        while !raw.is_empty() {
            let taken = match self.at {
                At::Ground => self.ground(raw, hold),
                At::Character => self.character(raw, hold),
                At::Escape => self.escape(raw, hold),
                At::Control => self.control(raw, hold),
                At::String { osc, body } => self.string(raw, osc, body, hold, redact),
                At::Clipboard => self.clipboard(raw, hold),
            };
            raw = raw.get(taken..).unwrap_or_default();
            if self.pending.len() >= ESCAPE_BYTES_MAX {
                self.give_up(hold, redact);
            }
        }
    }

    /// The end of the session: what is unfinished is released as it is.
    pub(super) fn finish(&mut self, hold: &mut Hold, redact: &dyn Fn(&[u8]) -> Vec<u8>) {
        let pending = std::mem::take(&mut self.pending);
        match self.at {
            At::Ground | At::Clipboard => {}
            At::Character => hold.push_invalid(pending.len()),
            At::Escape | At::Control => hold.push_hidden(&pending, pending.len()),
            At::String { body, .. } => {
                let (head, payload) = pending.split_at(body);
                let mut bytes = head.to_vec();
                bytes.extend(redact(payload));
                hold.push_hidden(&bytes, pending.len());
            }
        }
        self.at = At::Ground;
    }

    fn ground(&mut self, raw: &[u8], hold: &mut Hold) -> usize {
        let text = raw.iter().position(|&b| b < 0x20 || b == 0x7f).unwrap_or(raw.len());
        if text == 0 {
            self.single(raw[0], hold);
            return 1;
        }
        self.after_return = None;
        self.text(&raw[..text], hold)
    }

    /// Takes text of which only its UTF-8 is not known to be right.
    fn text(&mut self, bytes: &[u8], hold: &mut Hold) -> usize {
        let (valid, bad) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                (std::str::from_utf8(valid).unwrap_or_default(), Some(error.error_len()))
            }
        };
        let c1 = memchr::memchr_iter(C1_LEAD, valid.as_bytes())
            .find(|&at| valid.as_bytes().get(at + 1).is_some_and(|b| (0x80..0xa0).contains(b)));
        let plain = c1.and_then(|at| valid.get(..at)).unwrap_or(valid);
        if !plain.is_empty() {
            self.columns.print(plain);
            hold.push_text(plain.as_bytes());
            return plain.len();
        }
        if c1 == Some(0) {
            self.c1(valid.as_bytes()[1], hold);
            return 2;
        }
        match bad {
            Some(Some(len)) => {
                self.columns.print("\u{fffd}");
                hold.push_invalid(len);
                len
            }
            _ => {
                self.pending.extend_from_slice(bytes);
                self.at = At::Character;
                bytes.len()
            }
        }
    }

    /// One more byte for the character in `pending`.
    fn character(&mut self, raw: &[u8], hold: &mut Hold) -> usize {
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.push(raw[0]);
        self.at = At::Ground;
        // Text takes the whole character, or the bytes that cannot begin one; a byte that does
        // not belong to it is looked at again.
        let known = bytes.len() - 1;
        let taken = match std::str::from_utf8(&bytes) {
            Err(error) if error.error_len().is_some() => {
                self.columns.print("\u{fffd}");
                hold.push_invalid(known);
                known
            }
            _ => self.text(&bytes, hold),
        };
        taken - known
    }

    fn single(&mut self, byte: u8, hold: &mut Hold) {
        let after_return = self.after_return.take();
        match byte {
            b'\n' | 0x0b | 0x0c => {
                let edge = after_return.unwrap_or_else(|| self.columns.at_edge());
                self.columns.set(0);
                hold.push_marker(if edge { EDGE } else { LINE }, &[byte]);
            }
            b'\r' => {
                self.after_return = Some(after_return.unwrap_or_else(|| self.columns.at_edge()));
                self.columns.set(0);
                hold.push_marker(b'\r', b"\r");
            }
            b'\t' => {
                self.columns.tab();
                hold.push_marker(b'\t', b"\t");
            }
            0x08 => {
                self.columns.shift(-1);
                hold.push_marker(MOVE, &[byte]);
            }
            ESC => {
                self.after_return = after_return;
                self.pending.push(ESC);
                self.at = At::Escape;
            }
            _ => {
                self.after_return = after_return;
                hold.push_hidden(&[byte], 1);
            }
        }
    }

    /// A control of the upper set, written in UTF-8.
    fn c1(&mut self, code: u8, hold: &mut Hold) {
        let introducer = [C1_LEAD, code];
        let state = match code {
            0x9b => Some(At::Control),
            0x9d => Some(At::String { osc: true, body: 2 }),
            0x90 | 0x98 | 0x9e | 0x9f => Some(At::String { osc: false, body: 2 }),
            _ => None,
        };
        if let Some(state) = state {
            self.pending.extend_from_slice(&introducer);
            self.at = state;
        } else if matches!(code, 0x84 | 0x85 | 0x8d) {
            hold.push_marker(MOVE, &introducer);
        } else {
            hold.push_hidden(&introducer, 2);
        }
    }

    fn escape(&mut self, raw: &[u8], hold: &mut Hold) -> usize {
        let byte = raw[0];
        if byte == ESC || byte >= 0x80 {
            // The sequence is broken off; this byte begins something else.
            self.release_pending(hold);
            return 0;
        }
        self.pending.push(byte);
        let first = self.pending.len() == 2;
        match byte {
            b'[' if first => self.at = At::Control,
            b']' if first => self.at = At::String { osc: true, body: 2 },
            b'P' | b'X' | b'^' | b'_' if first => self.at = At::String { osc: false, body: 2 },
            0x20..=0x2f => {}
            _ => {
                let moves = first && matches!(byte, b'8' | b'D' | b'E' | b'M' | b'c')
                    || self.pending.get(1) == Some(&b'#');
                if moves || byte < 0x20 {
                    let bytes = std::mem::take(&mut self.pending);
                    hold.push_marker(MOVE, &bytes);
                    self.at = At::Ground;
                } else {
                    self.release_pending(hold);
                }
            }
        }
        1
    }

    fn control(&mut self, raw: &[u8], hold: &mut Hold) -> usize {
        let room = ESCAPE_BYTES_MAX - self.pending.len();
        let window = raw.get(..room).unwrap_or(raw);
        let last =
            window.iter().position(|&b| matches!(b, 0x40..=0x7e | ESC | 0x18 | 0x1a | 0x80..));
        let Some(last) = last else {
            self.pending.extend_from_slice(window);
            return window.len();
        };
        let byte = window[last];
        if byte == ESC || byte >= 0x80 {
            // The sequence is broken off; this byte begins something else.
            self.pending.extend_from_slice(&window[..last]);
            self.release_pending(hold);
            return last;
        }
        self.pending.extend_from_slice(&window[..=last]);
        let bytes = std::mem::take(&mut self.pending);
        self.at = At::Ground;
        match csi::effect(&bytes, &mut self.columns) {
            Effect::Hidden => hold.push_hidden(&bytes, bytes.len()),
            Effect::Marker(marker) => hold.push_marker(marker, &bytes),
        }
        self.pending = bytes;
        self.pending.clear();
        last + 1
    }

    /// Releases an unfinished sequence that grew too long as text: its first byte and the rest.
    fn give_up(&mut self, hold: &mut Hold, redact: &dyn Fn(&[u8]) -> Vec<u8>) {
        let bytes = std::mem::take(&mut self.pending);
        self.at = At::Ground;
        let (head, rest) = bytes.split_at(if bytes[0] == ESC { 1 } else { 2 });
        hold.push_marker(MOVE, head);
        self.feed(rest, hold, redact);
    }

    fn release_pending(&mut self, hold: &mut Hold) {
        hold.push_hidden(&self.pending, self.pending.len());
        self.pending.clear();
        self.at = At::Ground;
    }
}
