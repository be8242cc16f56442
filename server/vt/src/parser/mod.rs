//! Bytes to text, controls and sequences.
//!
//! The state machine is that of xterm.js (and so of the VT500), over code points: a C1 control is
//! one also as two bytes of UTF-8. It holds all there is to know about an unfinished sequence, so
//! [`Parser::unfinished`] can write one that continues the same way; controls inside a sequence
//! have had their effect and are not part of it.

mod params;
mod scan;
mod utf8;

pub(crate) use params::Params;
use scan::{ascii_len, feed_text};
use utf8::{Decoded, Utf8};

use crate::num;

/// Longest payload of a string that is looked at, and longest that a snapshot repeats. The string
/// is ignored when it is longer; nothing we act on is.
pub(crate) const STRING_MAX_BYTES: usize = 4 * 1024;

/// What the parser finds, in order.
pub(crate) trait Sink {
    /// A run of printable ASCII, not empty.
    fn ascii(&mut self, run: &[u8]);
    /// A run of characters past ASCII, not empty.
    fn text(&mut self, run: &[u32]);
    /// A C0 or C1 control.
    fn control(&mut self, code: u32);
    /// `ESC`, collected bytes, final byte.
    fn escape(&mut self, collected: u32, last: u8);
    /// `CSI`, parameters with prefix and intermediates in `collected`, final byte.
    fn csi(&mut self, collected: u32, params: &Params, last: u8);
    /// The payload of an OSC; `bell` when it ended with BEL.
    fn osc(&mut self, payload: &[u8], bell: bool);
    /// A DCS with its payload.
    fn dcs(&mut self, collected: u32, last: u8, payload: &[u8]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ground,
    Escape,
    EscapeCollect,
    CsiEntry,
    CsiParam,
    CsiCollect,
    CsiIgnore,
    /// SOS, PM or APC, by the byte that opened it; ignored.
    Ignored(u8),
    Osc,
    DcsEntry,
    DcsParam,
    DcsCollect,
    DcsIgnore,
    Dcs,
}

/// The state machine.
#[derive(Clone, Debug)]
pub(crate) struct Parser {
    state: State,
    utf8: Utf8,
    params: Params,
    /// Prefix and intermediates, one byte each, the last lowest.
    collected: u32,
    /// Final byte of the DCS whose payload is being read.
    dcs_final: u8,
    /// Payload of an OSC or DCS, at most `STRING_MAX_BYTES`.
    payload: Vec<u8>,
    /// The payload was longer.
    overlong: bool,
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            state: State::Ground,
            utf8: Utf8::default(),
            params: Params::default(),
            collected: 0,
            dcs_final: 0,
            payload: Vec::new(),
            overlong: false,
        }
    }
}

impl Parser {
    /// Takes any piece of the stream.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], sink: &mut impl Sink) {
        while let [first, rest @ ..] = bytes {
            if *first >= 0x80 || !self.utf8.is_empty() {
                bytes = self.feed_utf8(bytes, sink);
                continue;
            }
            bytes = match self.state {
                State::Ground if bytes.starts_with(b"\x1b[") => {
                    self.open(State::CsiEntry);
                    self.feed_params(&bytes[2..], sink)
                }
                State::Ground => {
                    let (run, after) = bytes.split_at(ascii_len(bytes));
                    if run.is_empty() {
                        self.step((*first).into(), sink);
                        rest
                    } else {
                        sink.ascii(run);
                        after
                    }
                }
                State::CsiEntry | State::CsiParam => self.feed_params(bytes, sink),
                State::Osc | State::Dcs => self.feed_payload(bytes, sink),
                State::Ignored(_) => {
                    let len = bytes
                        .iter()
                        .position(|&byte| byte >= 0x80 || matches!(byte, 0x18 | 0x1a | 0x1b))
                        .unwrap_or(bytes.len());
                    if len == 0 {
                        self.step((*first).into(), sink);
                        rest
                    } else {
                        &bytes[len..]
                    }
                }
                State::Escape
                | State::EscapeCollect
                | State::CsiCollect
                | State::CsiIgnore
                | State::DcsEntry
                | State::DcsParam
                | State::DcsCollect
                | State::DcsIgnore => {
                    self.step((*first).into(), sink);
                    rest
                }
            };
        }
    }

    /// Takes bytes past ASCII, up to the next ASCII.
    fn feed_utf8<'a>(&mut self, mut bytes: &'a [u8], sink: &mut impl Sink) -> &'a [u8] {
        while let [first, rest @ ..] = bytes {
            if self.utf8.is_empty() {
                if *first < 0x80 {
                    return bytes;
                }
                if self.state == State::Ground
                    && let Some(after) = feed_text(bytes, sink)
                {
                    bytes = after;
                    continue;
                }
            }
            match self.utf8.push(*first) {
                Decoded::Code(code) => self.step(code, sink),
                Decoded::Pending | Decoded::Nothing => {}
                Decoded::Again => continue,
            }
            bytes = rest;
        }
        bytes
    }

    /// Takes what may be parameters.
    fn feed_params<'a>(&mut self, bytes: &'a [u8], sink: &mut impl Sink) -> &'a [u8] {
        let mut rest = bytes;
        while let [byte @ b'0'..=b';', after @ ..] = rest {
            rest = if byte.is_ascii_digit() {
                self.params.push_digits(rest)
            } else {
                self.params.push(*byte);
                after
            };
        }
        if rest.len() != bytes.len() {
            self.state = State::CsiParam;
        }
        match rest {
            [last @ 0x40..=0x7e, after @ ..] => {
                self.state = State::Ground;
                sink.csi(self.collected, &self.params, *last);
                after
            }
            [byte @ 0..0x80, after @ ..] => {
                self.step((*byte).into(), sink);
                after
            }
            _ => rest,
        }
    }

    /// Takes what may be the payload of a string.
    fn feed_payload<'a>(&mut self, bytes: &'a [u8], sink: &mut impl Sink) -> &'a [u8] {
        let len = bytes.iter().position(|byte| !(0x20..0x7f).contains(byte)).unwrap_or(bytes.len());
        if let (0, [first, rest @ ..]) = (len, bytes) {
            self.step((*first).into(), sink);
            return rest;
        }
        let (run, rest) = bytes.split_at(len);
        self.put(run);
        rest
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.payload.len() + bytes.len() > STRING_MAX_BYTES {
            self.overlong = true;
            self.payload = Vec::new();
        }
        if !self.overlong {
            self.payload.extend_from_slice(bytes);
        }
    }

    fn put_code(&mut self, code: u32) {
        if let Some(character) = char::from_u32(code) {
            self.put(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn open(&mut self, state: State) {
        self.state = state;
        self.params.clear();
        self.collected = 0;
        self.payload.clear();
        self.overlong = false;
    }

    /// Ends a string; `complete` unless it was cancelled.
    fn close(&mut self, complete: bool, bell: bool, sink: &mut impl Sink) {
        let ignored = self.overlong || !complete;
        let payload = if ignored { &[][..] } else { &self.payload };
        match self.state {
            State::Osc => sink.osc(payload, bell),
            State::Dcs => {
                sink.dcs(self.collected, if ignored { 0 } else { self.dcs_final }, payload);
            }
            State::Ground
            | State::Escape
            | State::EscapeCollect
            | State::CsiEntry
            | State::CsiParam
            | State::CsiCollect
            | State::CsiIgnore
            | State::Ignored(_)
            | State::DcsEntry
            | State::DcsParam
            | State::DcsCollect
            | State::DcsIgnore => {}
        }
        self.open(State::Ground);
    }

    /// Takes one code point in any state.
    fn step(&mut self, code: u32, sink: &mut impl Sink) {
        let in_string = matches!(self.state, State::Osc | State::Dcs);
        match code {
            0x18 | 0x1a if in_string => self.close(false, false, sink),
            0x1b => {
                if in_string {
                    self.close(true, false, sink);
                }
                self.open(State::Escape);
            }
            0x9c if in_string => self.close(true, false, sink),
            0x9c => self.state = State::Ground,
            0x90 => self.open(State::DcsEntry),
            0x9b => self.open(State::CsiEntry),
            0x9d => self.open(State::Osc),
            0x98 => self.state = State::Ignored(b'X'),
            0x9e => self.state = State::Ignored(b'^'),
            0x9f => self.state = State::Ignored(b'_'),
            0x18 | 0x1a | 0x80..=0x9f => {
                self.state = State::Ground;
                sink.control(code);
            }
            0..0x80 => self.step_ascii(num::low(code), sink),
            _ => self.step_printable(code, sink),
        }
    }

    /// Takes a code point past the controls.
    fn step_printable(&mut self, code: u32, sink: &mut impl Sink) {
        match self.state {
            State::Ground => sink.text(&[code]),
            State::Osc | State::Dcs => self.put_code(code),
            State::CsiIgnore | State::DcsIgnore => {}
            State::Escape
            | State::EscapeCollect
            | State::CsiEntry
            | State::CsiParam
            | State::CsiCollect
            | State::Ignored(_)
            | State::DcsEntry
            | State::DcsParam
            | State::DcsCollect => self.state = State::Ground,
        }
    }

    /// Takes a byte of ASCII that is not CAN, SUB or ESC.
    fn step_ascii(&mut self, byte: u8, sink: &mut impl Sink) {
        let control = byte < 0x20;
        match self.state {
            State::Ground => match byte {
                0..0x20 => sink.control(byte.into()),
                0x20..0x7f => sink.ascii(&[byte]),
                _ => {}
            },
            State::Escape | State::EscapeCollect => self.step_escape(byte, sink),
            State::CsiEntry | State::CsiParam => match byte {
                0..0x20 => sink.control(byte.into()),
                0x20..0x30 => {
                    self.collect(byte);
                    self.state = State::CsiCollect;
                }
                b'0'..=b';' => {
                    self.params.push(byte);
                    self.state = State::CsiParam;
                }
                b'<'..=b'?' if self.state == State::CsiEntry => {
                    self.collect(byte);
                    self.state = State::CsiParam;
                }
                b'<'..=b'?' => self.state = State::CsiIgnore,
                0x40..0x7f => self.dispatch_csi(byte, sink),
                _ => {}
            },
            State::CsiCollect => match byte {
                0..0x20 => sink.control(byte.into()),
                0x20..0x30 => self.collect(byte),
                0x30..0x40 => self.state = State::CsiIgnore,
                0x40..0x7f => self.dispatch_csi(byte, sink),
                _ => {}
            },
            State::CsiIgnore => match byte {
                0..0x20 => sink.control(byte.into()),
                0x40..0x7f => self.state = State::Ground,
                _ => {}
            },
            State::Ignored(_) | State::DcsIgnore => {}
            State::Osc => match byte {
                0x07 => self.close(true, true, sink),
                0x20.. => self.put(&[byte]),
                _ => {}
            },
            State::DcsEntry | State::DcsParam | State::DcsCollect if control => {}
            State::DcsEntry | State::DcsParam => match byte {
                0x20..0x30 => {
                    self.collect(byte);
                    self.state = State::DcsCollect;
                }
                b'0'..=b';' => {
                    self.params.push(byte);
                    self.state = State::DcsParam;
                }
                b'<'..=b'?' if self.state == State::DcsEntry => {
                    self.collect(byte);
                    self.state = State::DcsParam;
                }
                b'<'..=b'?' => self.state = State::DcsIgnore,
                0x40..0x7f => self.hook(byte),
                _ => {}
            },
            State::DcsCollect => match byte {
                0x20..0x30 => self.collect(byte),
                0x30..0x40 => self.state = State::DcsIgnore,
                0x40..0x7f => self.hook(byte),
                _ => {}
            },
            State::Dcs => self.put(&[byte]),
        }
    }

    fn step_escape(&mut self, byte: u8, sink: &mut impl Sink) {
        let collecting = self.state == State::EscapeCollect;
        match byte {
            0..0x20 => sink.control(byte.into()),
            0x20..0x30 => {
                self.collect(byte);
                self.state = State::EscapeCollect;
            }
            b'P' if !collecting => self.open(State::DcsEntry),
            b'[' if !collecting => self.open(State::CsiEntry),
            b']' if !collecting => self.open(State::Osc),
            b'X' | b'^' | b'_' if !collecting => self.state = State::Ignored(byte),
            0x30..0x7f => {
                self.state = State::Ground;
                sink.escape(self.collected, byte);
            }
            _ => {}
        }
    }

    fn collect(&mut self, byte: u8) {
        self.collected = self.collected << 8 | u32::from(byte);
    }

    fn dispatch_csi(&mut self, last: u8, sink: &mut impl Sink) {
        self.state = State::Ground;
        sink.csi(self.collected, &self.params, last);
    }

    fn hook(&mut self, last: u8) {
        self.dcs_final = last;
        self.state = State::Dcs;
    }

    /// Bytes that bring a parser at rest to where this one is.
    ///
    /// A payload too long to repeat is replaced by one that is ignored to its end.
    pub(crate) fn unfinished(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self.state {
            State::Ground => {}
            State::Escape | State::EscapeCollect => {
                out.push(0x1b);
                out.extend(self.collected_bytes().filter(|&byte| byte < 0x30));
            }
            State::CsiEntry => out.extend_from_slice(b"\x1b["),
            State::CsiParam | State::CsiCollect => self.write_head(b'[', &mut out),
            State::CsiIgnore => out.extend_from_slice(b"\x1b[0<"),
            State::Ignored(opener) => out.extend_from_slice(&[0x1b, opener]),
            State::Osc if self.overlong => out.extend_from_slice(b"\x1b]-"),
            State::Osc => {
                out.extend_from_slice(b"\x1b]");
                out.extend_from_slice(&self.payload);
            }
            State::DcsEntry => out.extend_from_slice(b"\x1bP"),
            State::DcsParam | State::DcsCollect => self.write_head(b'P', &mut out),
            State::DcsIgnore => out.extend_from_slice(b"\x1bP0<"),
            State::Dcs if self.overlong => out.extend_from_slice(b"\x1bP~"),
            State::Dcs => {
                self.write_head(b'P', &mut out);
                out.push(self.dcs_final);
                out.extend_from_slice(&self.payload);
            }
        }
        out.extend_from_slice(self.utf8.pending());
        out
    }

    fn write_head(&self, opener: u8, out: &mut Vec<u8>) {
        out.extend_from_slice(&[0x1b, opener]);
        out.extend(self.collected_bytes().filter(|&byte| byte >= 0x30));
        let mut params = String::new();
        self.params.write(&mut params);
        out.extend_from_slice(params.as_bytes());
        out.extend(self.collected_bytes().filter(|&byte| byte < 0x30));
    }

    fn collected_bytes(&self) -> impl Iterator<Item = u8> {
        self.collected.to_be_bytes().into_iter().filter(|&byte| byte != 0)
    }
}
