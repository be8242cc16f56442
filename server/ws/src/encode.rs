//! Frames to send, with bodies that many connections share.
//!
//! A server's frames carry no mask and no state, so one frame is made once and written to every
//! viewer: cloning it copies a header of at most 14 bytes and counts one more reference. A client
//! must mask, with a fresh key for every frame, and pays a copy.

use bytes::{Bytes, BytesMut};

use crate::close::Close;
use crate::deflate::Deflated;
use crate::event::ControlPayload;
use crate::frame::{Head, Header, Mask, Opcode};

/// A frame ready to be written: first the head, then the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    header: Header,
    head: Head,
    body: Bytes,
}

impl Frame {
    /// A text message. The body is promised to be UTF-8; a peer closes with 1007 on any other.
    pub fn text(body: impl Into<Bytes>) -> Self {
        Self::new(Opcode::Text, false, body.into())
    }

    /// A binary message.
    pub fn binary(body: impl Into<Bytes>) -> Self {
        Self::new(Opcode::Binary, false, body.into())
    }

    /// A compressed text message, for a connection that
    /// [`takes_deflated`](crate::Codec::takes_deflated).
    pub fn deflated_text(body: Deflated) -> Self {
        Self::new(Opcode::Text, true, body.into_bytes())
    }

    /// A compressed binary message, for a connection that
    /// [`takes_deflated`](crate::Codec::takes_deflated).
    pub fn deflated_binary(body: Deflated) -> Self {
        Self::new(Opcode::Binary, true, body.into_bytes())
    }

    /// A ping.
    pub fn ping(payload: ControlPayload) -> Self {
        Self::new(Opcode::Ping, false, payload.into_bytes())
    }

    /// A pong: the answer to a ping carries the ping's payload.
    pub fn pong(payload: ControlPayload) -> Self {
        Self::new(Opcode::Pong, false, payload.into_bytes())
    }

    /// A close. [`Codec::close`](crate::Codec::close) sends it at most once.
    pub fn close(close: &Close) -> Self {
        Self::new(Opcode::Close, false, close.payload())
    }

    fn new(opcode: Opcode, rsv1: bool, body: Bytes) -> Self {
        let payload_bytes = u64::try_from(body.len()).unwrap_or(u64::MAX);
        let header = Header { fin: true, rsv1, opcode, mask: None, payload_bytes };
        Self { header, head: header.encode(), body }
    }

    /// The frame as a client sends it. The key must be random, new for every frame and unknown to
    /// whoever chose the body.
    #[must_use]
    pub fn masked(self, key: [u8; 4]) -> Self {
        let header = Header { mask: Some(key), ..self.header };
        let mut body = BytesMut::from(self.body);
        Mask::new(key).apply(&mut body);
        Self { header, head: header.encode(), body: body.freeze() }
    }

    /// What to write first.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// What to write after the head; may be empty.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Bytes the frame takes on the wire.
    pub fn wire_bytes(&self) -> usize {
        self.head.len() + self.body.len()
    }

    /// Head and body, for a vectored write.
    pub fn into_parts(self) -> (Head, Bytes) {
        (self.head, self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc_are_written_byte_for_byte() {
        assert_eq!(wire(&Frame::text("Hello")), b"\x81\x05Hello");
        let masked = Frame::text("Hello").masked([0x37, 0xfa, 0x21, 0x3d]);
        assert_eq!(wire(&masked), b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
        assert_eq!(wire(&Frame::binary(vec![0; 256]))[..4], [0x82, 0x7e, 0x01, 0x00]);
        assert_eq!(wire(&Frame::binary(vec![0; 65536]))[..4], [0x82, 0x7f, 0x00, 0x00]);
    }

    #[test]
    fn a_shared_body_is_never_copied() {
        let body = Bytes::from(vec![7; 8192]);
        let (one, two) = (Frame::binary(body.clone()), Frame::binary(body.clone()));
        assert_eq!(one.body().as_ptr(), body.as_ptr());
        assert_eq!(two.body().as_ptr(), body.as_ptr());
    }

    #[test]
    fn masking_leaves_the_shared_body_alone() {
        let body = Bytes::from(vec![7; 100]);
        let masked = Frame::binary(body.clone()).masked([1, 2, 3, 4]);
        assert_ne!(masked.body(), &body);
        assert_eq!(body, vec![7; 100]);
    }

    fn wire(frame: &Frame) -> Vec<u8> {
        [frame.head(), frame.body()].concat()
    }
}
