//! A client that writes frames by hand, right or wrong, and a server that records what it heard.

use bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress};
use ws::{Close, CloseCode, Codec, Config, ControlPayload, Error, Event};

pub(crate) const TEXT: u8 = 0x81;
pub(crate) const TEXT_PART: u8 = 0x01;
pub(crate) const BINARY: u8 = 0x82;
pub(crate) const BINARY_PART: u8 = 0x02;
pub(crate) const PART: u8 = 0x00;
pub(crate) const LAST: u8 = 0x80;
pub(crate) const CLOSE: u8 = 0x88;
pub(crate) const PING: u8 = 0x89;
pub(crate) const PONG: u8 = 0x8a;
/// Added to the first byte of a compressed message.
pub(crate) const RSV1: u8 = 0x40;

pub(crate) type Heard = Vec<Result<Event, Error>>;

/// A masked frame with any first byte.
pub(crate) fn frame(first: u8, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    let key = [0x37, 0xfa, 0x21, 0x3d];
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..=125 => frame.push(0x80 | u8::try_from(short).unwrap()),
        medium @ 126..=0xffff => {
            frame.push(0xfe);
            frame.extend(u16::try_from(medium).unwrap().to_be_bytes());
        }
        long => {
            frame.push(0xff);
            frame.extend(u64::try_from(long).unwrap().to_be_bytes());
        }
    }
    frame.extend(key);
    frame.extend(payload.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key));
    frame
}

/// What a server hears when it is fed `input` in one piece, in pieces of 7 bytes, and byte by
/// byte: the same each time.
#[track_caller]
pub(crate) fn hear(config: Config, input: &[u8]) -> Heard {
    let whole = hear_in(config, input, usize::MAX);
    assert_eq!(hear_in(config, input, 7), whole, "in pieces of 7");
    assert_eq!(hear_in(config, input, 1), whole, "byte by byte");
    whole
}

/// What a server hears when it is fed `input` in pieces of one size.
pub(crate) fn hear_in(config: Config, input: &[u8], piece_bytes: usize) -> Heard {
    let mut codec = Codec::server(config);
    let mut heard = Vec::new();
    for piece in input.chunks(piece_bytes.min(input.len()).max(1)) {
        codec.on_bytes(piece);
        heard.extend(std::iter::from_fn(|| codec.poll_event()));
    }
    heard
}

pub(crate) fn plain() -> Config {
    Config::default()
}

pub(crate) fn deflating() -> Config {
    Config { deflate: Some(ws::Agreement::default()), ..Config::default() }
}

pub(crate) fn text(body: &str) -> Result<Event, Error> {
    Ok(Event::Text(body.to_owned()))
}

pub(crate) fn binary(body: &[u8]) -> Result<Event, Error> {
    Ok(Event::Binary(Bytes::copy_from_slice(body)))
}

pub(crate) fn ping(payload: &[u8]) -> Result<Event, Error> {
    Ok(Event::Ping(control(payload)))
}

pub(crate) fn pong(payload: &[u8]) -> Result<Event, Error> {
    Ok(Event::Pong(control(payload)))
}

pub(crate) fn close(code: u16, reason: &str) -> Result<Event, Error> {
    Ok(Event::Close(Close::new(CloseCode::new(code).unwrap(), reason)))
}

/// A body as another sender compresses it.
pub(crate) fn their_deflate(body: impl AsRef<[u8]>, level: u32, window_bits: u8) -> Vec<u8> {
    let body = body.as_ref();
    let mut stream = Compress::new_with_window_bits(Compression::new(level), false, window_bits);
    let mut out = Vec::with_capacity(body.len() * 2 + 1000);
    stream.compress_vec(body, &mut out, FlushCompress::Sync).unwrap();
    assert_eq!(stream.total_in(), u64::try_from(body.len()).unwrap());
    assert_eq!(out.split_off(out.len() - 4), [0x00, 0x00, 0xff, 0xff]);
    out
}

pub(crate) fn deflated(body: impl AsRef<[u8]>) -> Vec<u8> {
    their_deflate(body, 6, 15)
}

fn control(payload: &[u8]) -> ControlPayload {
    ControlPayload::try_from(Bytes::copy_from_slice(payload)).unwrap()
}
