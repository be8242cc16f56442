//! Strings: titles, links, device controls, and the clipboard that is never kept.
//!
//! A string ends at its terminator, at ESC, which begins the next sequence, or where a terminal
//! gives it up. Until then it is held, except OSC 52, of which only a count of bytes remains.

use super::{At, C1_LEAD, ESC, ESCAPE_BYTES_MAX, Hold, Scanner};

const BEL: u8 = 0x07;

/// How far into a string its number is looked for; no program pads one further.
const NUMBER_BYTES: usize = 16;

impl Scanner {
    pub(super) fn string(
        &mut self,
        raw: &[u8],
        osc: bool,
        body: usize,
        hold: &mut Hold,
        redact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) -> usize {
        if self.pending.len() > body && self.pending.last() == Some(&ESC) {
            return self.string_after_escape(raw[0], osc, body, hold, redact);
        }
        let room = ESCAPE_BYTES_MAX - self.pending.len();
        let window = raw.get(..room).unwrap_or(raw);
        let numbered = osc && !self.pending[body..].iter().take(NUMBER_BYTES).any(|&b| b == b';');
        let c1 = self.pending.len() > body && self.pending.last() == Some(&C1_LEAD);
        let stop = window.iter().enumerate().position(|(at, &b)| {
            matches!(b, ESC | 0x18 | 0x1a)
                || osc && b == BEL
                || numbered && b == b';'
                || b == 0x9c && (if at == 0 { c1 } else { window[at - 1] == C1_LEAD })
        });
        let Some(stop) = stop else {
            self.pending.extend_from_slice(window);
            return window.len();
        };
        self.pending.extend_from_slice(&window[..=stop]);
        match window[stop] {
            ESC => {}
            b';' => {
                if is_clipboard(&self.pending[body..]) {
                    hold.push_hidden(&[], self.pending.len());
                    self.pending.clear();
                    self.at = At::Clipboard;
                }
            }
            0x9c => self.end_string(body, 2, osc, hold, redact),
            _ => self.end_string(body, 1, osc, hold, redact),
        }
        stop + 1
    }

    /// A string whose last byte is ESC: its terminator, or the start of the next sequence.
    fn string_after_escape(
        &mut self,
        byte: u8,
        osc: bool,
        body: usize,
        hold: &mut Hold,
        redact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) -> usize {
        if byte == b'\\' {
            self.pending.push(byte);
            self.end_string(body, 2, osc, hold, redact);
            return 1;
        }
        self.pending.pop();
        self.end_string(body, 0, osc, hold, redact);
        self.pending.push(ESC);
        self.at = At::Escape;
        0
    }

    fn end_string(
        &mut self,
        body: usize,
        terminator: usize,
        osc: bool,
        hold: &mut Hold,
        redact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) {
        let bytes = std::mem::take(&mut self.pending);
        self.at = At::Ground;
        let payload = &bytes[body..bytes.len() - terminator];
        if osc && is_clipboard(payload) {
            hold.push_hidden(&[], bytes.len());
            return;
        }
        let mut kept = bytes[..body].to_vec();
        kept.extend(redact(payload));
        kept.extend_from_slice(&bytes[bytes.len() - terminator..]);
        hold.push_hidden(&kept, bytes.len());
    }

    pub(super) fn clipboard(&mut self, raw: &[u8], hold: &mut Hold) -> usize {
        if self.pending.last() == Some(&ESC) {
            self.pending.clear();
            self.at = At::Ground;
            if raw[0] == b'\\' {
                hold.push_hidden(&[], 2);
                return 1;
            }
            self.pending.push(ESC);
            self.at = At::Escape;
            return 0;
        }
        let lead = self.pending.last() == Some(&C1_LEAD);
        self.pending.clear();
        if lead {
            hold.push_hidden(&[], 1);
            if raw[0] == 0x9c {
                hold.push_hidden(&[], 1);
                self.at = At::Ground;
                return 1;
            }
        }
        let stop = raw.iter().position(|&b| matches!(b, ESC | BEL | 0x18 | 0x1a | C1_LEAD));
        let Some(stop) = stop else {
            hold.push_hidden(&[], raw.len());
            return raw.len();
        };
        hold.push_hidden(&[], stop);
        match raw[stop] {
            byte @ (ESC | C1_LEAD) => self.pending.push(byte),
            _ => {
                hold.push_hidden(&[], 1);
                self.at = At::Ground;
            }
        }
        stop + 1
    }
}

/// Whether an OSC payload, or its start up to the first `;`, is that of OSC 52.
fn is_clipboard(payload: &[u8]) -> bool {
    let digits = payload.split(|&b| b == b';').next().unwrap_or_default();
    let value = digits.iter().position(|&b| b != b'0').and_then(|at| digits.get(at..));
    value == Some(b"52")
}
