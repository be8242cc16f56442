//! The frame header and the mask: what stands before every payload.
//!
//! A header is judged as far as it has arrived, so a wrong first byte is an error before the
//! second one comes, and the verdict is the same for every way of cutting the input. What depends
//! on more than the header itself (who must mask, whether RSV1 may be set here, whether a
//! continuation has something to continue) is judged in [`decode`](crate::decode) and
//! `fragment`.

use std::ops::Deref;

use crate::error::Error;

/// Longest header: two bytes, a 64-bit length, a mask key.
pub const MAX_HEAD_BYTES: usize = 14;

/// Longest payload of a close, ping or pong.
pub const MAX_CONTROL_BYTES: usize = 125;

const FIN: u8 = 0x80;
const RSV1: u8 = 0x40;
const RSV2_RSV3: u8 = 0x30;
const MASKED: u8 = 0x80;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opcode {
    /// More of the message under way.
    Continuation,
    /// Starts a text message.
    Text,
    /// Starts a binary message.
    Binary,
    /// Ends the connection.
    Close,
    /// Asks for a pong.
    Ping,
    /// Answers a ping, or none.
    Pong,
}

impl Opcode {
    fn from_bits(bits: u8) -> Result<Self, Error> {
        match bits {
            0 => Ok(Self::Continuation),
            1 => Ok(Self::Text),
            2 => Ok(Self::Binary),
            8 => Ok(Self::Close),
            9 => Ok(Self::Ping),
            10 => Ok(Self::Pong),
            _ => Err(Error::UnknownOpcode(bits)),
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Continuation => 0,
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }

    /// Whether frames of this kind may stand between the fragments of a message.
    pub fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// A frame's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Whether this frame ends its message.
    pub fin: bool,
    /// Set on the first frame of a compressed message.
    pub rsv1: bool,
    /// What the frame is.
    pub opcode: Opcode,
    /// The key the payload is masked with; set on every frame a client sends.
    pub mask: Option<[u8; 4]>,
    /// Length of the payload.
    pub payload_bytes: u64,
}

impl Header {
    /// Reads a header from the start of `bytes`; `None` while it is incomplete. The number is the
    /// header's own length.
    ///
    /// # Errors
    ///
    /// As soon as the bytes at hand can no longer become a valid header.
    pub fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, Error> {
        let Some(&first) = bytes.first() else { return Ok(None) };
        if first & RSV2_RSV3 != 0 {
            return Err(Error::ReservedBit);
        }
        let opcode = Opcode::from_bits(first & 0x0f)?;
        let fin = first & FIN != 0;
        if opcode.is_control() && !fin {
            return Err(Error::FragmentedControl);
        }

        let Some(&second) = bytes.get(1) else { return Ok(None) };
        let short = second & !MASKED;
        if opcode.is_control() && short > 125 {
            return Err(Error::LongControl);
        }
        let Some((payload_bytes, length_end)) = parse_length(short, bytes)? else {
            return Ok(None);
        };

        let rest = &bytes[length_end..];
        let (mask, used) = if second & MASKED == 0 {
            (None, length_end)
        } else if let Some(key) = rest.first_chunk::<4>() {
            (Some(*key), length_end + 4)
        } else {
            return Ok(None);
        };
        let rsv1 = first & RSV1 != 0;
        Ok(Some((Self { fin, rsv1, opcode, mask, payload_bytes }, used)))
    }

    /// The header as bytes, with the length in its shortest form.
    pub fn encode(&self) -> Head {
        let mut head = Head { bytes: [0; MAX_HEAD_BYTES], len: 0 };
        let masked = if self.mask.is_some() { MASKED } else { 0 };
        let fin = if self.fin { FIN } else { 0 };
        let rsv1 = if self.rsv1 { RSV1 } else { 0 };
        head.put(&[fin | rsv1 | self.opcode.bits()]);
        match (u8::try_from(self.payload_bytes), u16::try_from(self.payload_bytes)) {
            (Ok(short @ 0..=125), _) => head.put(&[masked | short]),
            (_, Ok(medium)) => {
                head.put(&[masked | 126]);
                head.put(&medium.to_be_bytes());
            }
            _ => {
                head.put(&[masked | 127]);
                head.put(&self.payload_bytes.to_be_bytes());
            }
        }
        if let Some(key) = self.mask {
            head.put(&key);
        }
        head
    }
}

/// The payload's length and where the length ends; `None` while it is incomplete.
fn parse_length(short: u8, bytes: &[u8]) -> Result<Option<(u64, usize)>, Error> {
    let rest = &bytes[2..];
    match short {
        126 => {
            let Some(long) = rest.first_chunk::<2>() else { return Ok(None) };
            let length = u16::from_be_bytes(*long);
            if length < 126 { Err(Error::OverlongLength) } else { Ok(Some((length.into(), 4))) }
        }
        127 => {
            let Some(long) = rest.first_chunk::<8>() else { return Ok(None) };
            match u64::from_be_bytes(*long) {
                0..=0xffff => Err(Error::OverlongLength),
                length if length >> 63 != 0 => Err(Error::LengthOutOfRange),
                length => Ok(Some((length, 10))),
            }
        }
        _ => Ok(Some((short.into(), 2))),
    }
}

/// An encoded header: at most [`MAX_HEAD_BYTES`], with no allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    bytes: [u8; MAX_HEAD_BYTES],
    /// Bytes in use.
    len: usize,
}

impl Head {
    fn put(&mut self, part: &[u8]) {
        self.bytes[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
    }
}

impl Deref for Head {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl AsRef<[u8]> for Head {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// A mask key at some place in its payload.
///
/// Masking and unmasking are the same operation.
#[derive(Debug, Clone, Copy)]
pub struct Mask {
    /// The key, turned so that its first byte meets the next byte of the payload.
    key: [u8; 4],
}

impl Mask {
    /// The mask at the start of a payload.
    pub fn new(key: [u8; 4]) -> Self {
        Self { key }
    }

    /// Applies the mask to the next bytes of the payload.
    pub fn apply(&mut self, payload: &mut [u8]) {
        let [a, b, c, d] = self.key;
        let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
        let (words, rest) = payload.as_chunks_mut::<8>();
        for word in words {
            *word = (u64::from_ne_bytes(*word) ^ wide).to_ne_bytes();
        }
        for (byte, key) in rest.iter_mut().zip(self.key.iter().cycle()) {
            *byte ^= key;
        }
        self.key.rotate_left(payload.len() % 4);
    }
}

#[cfg(test)]
mod tests;
