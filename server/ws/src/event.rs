//! What a peer said, once it has been checked.

use std::ops::Deref;

use bytes::Bytes;

use crate::close::Close;
use crate::frame::MAX_CONTROL_BYTES;

/// A complete message or control frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A text message.
    Text(String),
    /// A binary message.
    Binary(Bytes),
    /// The peer asks for a pong with the same payload.
    Ping(ControlPayload),
    /// The peer answers a ping, or sends a heartbeat nobody asked for.
    Pong(ControlPayload),
    /// The peer closes, or answers our close. It is the last event.
    Close(Close),
}

/// The payload of a ping or pong: at most 125 bytes, so it always fits its frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ControlPayload(Bytes);

/// A payload of more than 125 bytes fits no control frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes do not fit a control frame")]
pub struct ControlTooLong {
    /// Length of what was given.
    pub bytes: usize,
}

impl ControlPayload {
    /// A payload the decoder has already measured.
    pub(crate) fn measured(bytes: Bytes) -> Self {
        debug_assert!(bytes.len() <= MAX_CONTROL_BYTES, "measured when its header was read");
        Self(bytes)
    }

    /// The payload as bytes.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl TryFrom<Bytes> for ControlPayload {
    type Error = ControlTooLong;

    fn try_from(bytes: Bytes) -> Result<Self, ControlTooLong> {
        if bytes.len() > MAX_CONTROL_BYTES {
            return Err(ControlTooLong { bytes: bytes.len() });
        }
        Ok(Self(bytes))
    }
}

impl From<u64> for ControlPayload {
    /// Eight bytes, most significant first: a ping that a pong can be matched with.
    fn from(number: u64) -> Self {
        Self(Bytes::copy_from_slice(&number.to_be_bytes()))
    }
}

impl ControlPayload {
    /// The number a payload made from one holds.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.as_ref().try_into().ok().map(u64::from_be_bytes)
    }
}

impl Deref for ControlPayload {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_payload_is_at_most_125_bytes() {
        assert!(ControlPayload::try_from(Bytes::from_static(&[0; 125])).is_ok());
        assert_eq!(
            ControlPayload::try_from(Bytes::from_static(&[0; 126])),
            Err(ControlTooLong { bytes: 126 }),
        );
    }

    #[test]
    fn a_numbered_ping_reads_back() {
        assert_eq!(ControlPayload::from(u64::MAX - 5).as_u64(), Some(u64::MAX - 5));
        assert_eq!(ControlPayload::default().as_u64(), None);
    }
}
