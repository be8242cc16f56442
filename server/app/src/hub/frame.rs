//! One frame of output, encoded once for all its viewers.
//!
//! The bytes lie behind their binary head in one allocation, so the encoding that pages use costs
//! nothing. The others are made when the first viewer needs them and shared from then on.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::Instant;

use bytes::{BufMut as _, Bytes, BytesMut};
use wire::browser::ServerMessage;
use wire::frame::{VIEWER_OUTPUT_HEAD_BYTES, viewer_output_head};
use wire::{Seq, limits};
use ws::deflate::{Deflated, Deflater};

/// What a frame costs beside its bytes: its heads and counters, measured at about 200.
const OVERHEAD_BYTES: u64 = 200;

thread_local! {
    /// Making a compressor costs half as much as a frame does, so each thread keeps one.
    static DEFLATER: RefCell<Deflater> = RefCell::new(Deflater::new());
}

/// The two ways to encode what a viewer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `glasshouse.v1`: output is binary.
    Binary,
    /// `glasshouse.v1.json`: everything is text.
    Json,
}

/// A stretch of output as viewers are sent it: at most 8 KiB.
#[derive(Debug)]
pub struct Frame {
    from: Seq,
    end: Seq,
    at_ms: u64,
    arrived: Instant,
    binary: Body,
    json: OnceLock<Body>,
}

/// An encoded message that many sockets share, plain and compressed.
#[derive(Debug)]
pub struct Body {
    plain: Bytes,
    text: bool,
    /// None inside when it does not shrink.
    deflated: OnceLock<Option<Deflated>>,
}

impl Frame {
    /// Output from `from` on, read at `at_ms` and here since `arrived`.
    pub(super) fn new(from: Seq, bytes: &[u8], at_ms: u64, arrived: Instant) -> Self {
        let end = from.advance(u64::try_from(bytes.len()).unwrap_or(0));
        debug_assert!(end.bytes_since(from) <= limits::OUTPUT_FRAME_MAX_BYTES, "cut before");
        let binary = Body::binary(binary(end, bytes));
        Self { from, end, at_ms, arrived, binary, json: OnceLock::new() }
    }

    /// Its first byte.
    pub fn from(&self) -> Seq {
        self.from
    }

    /// One past its last byte.
    pub fn end(&self) -> Seq {
        self.end
    }

    /// When its first byte was read, in milliseconds since 1970.
    pub fn at_ms(&self) -> u64 {
        self.at_ms
    }

    /// When it reached the hub.
    pub fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Its bytes from `seq` on; all of them when it begins later.
    pub fn after(&self, seq: Seq) -> Bytes {
        let skip = usize::try_from(seq.bytes_since(self.from)).unwrap_or(usize::MAX);
        let begin = skip.saturating_add(VIEWER_OUTPUT_HEAD_BYTES).min(self.binary.plain.len());
        self.binary.plain.slice(begin..)
    }

    /// The whole frame, encoded.
    pub fn body(&self, encoding: Encoding) -> &Body {
        match encoding {
            Encoding::Binary => &self.binary,
            Encoding::Json => {
                self.json.get_or_init(|| Body::text(json(self.end, &self.after(self.from))))
            }
        }
    }

    /// What it costs in memory, apart from encodings made later.
    pub(super) fn cost_bytes(&self) -> u64 {
        self.end.bytes_since(self.from) + OVERHEAD_BYTES
    }
}

/// Part of a frame, for a viewer that stands inside it: encoded for that one alone.
pub fn encode(encoding: Encoding, end: Seq, bytes: &[u8]) -> Body {
    match encoding {
        Encoding::Binary => Body::binary(binary(end, bytes)),
        Encoding::Json => Body::text(json(end, bytes)),
    }
}

fn binary(end: Seq, bytes: &[u8]) -> Bytes {
    let mut framed = BytesMut::with_capacity(VIEWER_OUTPUT_HEAD_BYTES + bytes.len());
    framed.put_slice(&viewer_output_head(end));
    framed.put_slice(bytes);
    framed.freeze()
}

fn json(end: Seq, bytes: &[u8]) -> Bytes {
    text(&ServerMessage::Output { seq: end, data: String::from_utf8_lossy(bytes).into_owned() })
}

/// A message as text.
pub fn text(message: &ServerMessage) -> Bytes {
    // Only a map with keys that are no strings, or a failing writer, could fail.
    serde_json::to_vec(message).unwrap_or_default().into()
}

impl Body {
    /// A text message.
    pub fn text(plain: Bytes) -> Self {
        Self { plain, text: true, deflated: OnceLock::new() }
    }

    /// A binary message.
    pub fn binary(plain: Bytes) -> Self {
        Self { plain, text: false, deflated: OnceLock::new() }
    }

    /// As a socket sends it; compressed, if the other side takes that and it is worth it.
    pub fn frame(&self, takes_deflated: bool) -> ws::Frame {
        let compress = || DEFLATER.with_borrow_mut(|deflater| deflater.compress(&self.plain));
        let deflated = takes_deflated.then(|| self.deflated.get_or_init(compress));
        match (deflated.cloned().flatten(), self.text) {
            (Some(body), true) => ws::Frame::deflated_text(body),
            (Some(body), false) => ws::Frame::deflated_binary(body),
            (None, true) => ws::Frame::text(self.plain.clone()),
            (None, false) => ws::Frame::binary(self.plain.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_share_one_body_per_encoding() {
        let frame = Frame::new(Seq(5), &[b'x'; 4096], 0, Instant::now());
        for encoding in [Encoding::Binary, Encoding::Json] {
            let (one, two) = (frame.body(encoding).frame(false), frame.body(encoding).frame(false));
            assert_eq!(one.body().as_ptr(), two.body().as_ptr());
            let (one, two) = (frame.body(encoding).frame(true), frame.body(encoding).frame(true));
            assert_eq!(one.body().as_ptr(), two.body().as_ptr());
            assert!(one.body().len() < 200);
        }
    }

    #[test]
    fn both_encodings_say_where_the_output_ends() {
        let frame = Frame::new(Seq(5), b"a\xFFb", 0, Instant::now());
        let binary = frame.body(Encoding::Binary).frame(false);
        assert_eq!(&binary.body()[..], b"\x01\0\0\0\0\0\0\0\x08a\xFFb");
        let json = frame.body(Encoding::Json).frame(false);
        assert_eq!(&json.body()[..], r#"{"type":"output","seq":8,"data":"a�b"}"#.as_bytes());
        assert_eq!(frame.after(Seq(7)), &b"b"[..]);
        assert_eq!(frame.after(Seq(0)), &b"a\xFFb"[..]);
        assert_eq!(frame.after(Seq(99)), &b""[..]);
    }
}
