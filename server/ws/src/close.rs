//! How a connection says goodbye: the code, the reason, and which codes may be on the wire.
//!
//! A close frame may hold nothing at all. 1005 ("no code") and 1006 ("connection lost") are names
//! that APIs use for what was *not* received; a peer that sends them is broken.

use bytes::{BufMut, Bytes, BytesMut};

use crate::error::Error;

/// Longest reason in bytes: what a control frame has left after the code.
pub const MAX_REASON_BYTES: usize = 123;

/// A close code that may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CloseCode(u16);

impl CloseCode {
    /// The purpose of the connection is fulfilled.
    pub const NORMAL: Self = Self(1000);
    /// The server stops or the page navigates away.
    pub const GOING_AWAY: Self = Self(1001);
    /// The peer broke the protocol.
    pub const PROTOCOL: Self = Self(1002);
    /// The peer sent a kind of message we do not take.
    pub const UNSUPPORTED: Self = Self(1003);
    /// The peer sent text that is not UTF-8, or data that does not inflate.
    pub const INVALID_DATA: Self = Self(1007);
    /// The peer broke a rule that has no code of its own.
    pub const POLICY: Self = Self(1008);
    /// The peer sent a message past the limit.
    pub const TOO_BIG: Self = Self(1009);
    /// We failed.
    pub const INTERNAL: Self = Self(1011);

    /// The code, if it may be sent: 1000 to 1003, 1007 to 1014, 3000 to 4999.
    pub const fn new(code: u16) -> Option<Self> {
        match code {
            1000..=1003 | 1007..=1014 | 3000..=4999 => Some(Self(code)),
            _ => None,
        }
    }

    /// The code as a number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// The body of a close frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Close {
    /// Why; none when the frame was empty.
    code: Option<CloseCode>,
    /// For people and logs. Empty without a code, never over [`MAX_REASON_BYTES`].
    reason: String,
}

impl Close {
    /// A close with a code and a reason.
    ///
    /// A reason longer than [`MAX_REASON_BYTES`] is cut at a character boundary: it is a hint for
    /// people, and the code is what programs act on.
    pub fn new(code: CloseCode, reason: &str) -> Self {
        let end = reason.floor_char_boundary(MAX_REASON_BYTES);
        let reason = reason.get(..end).unwrap_or_default().to_owned();
        Self { code: Some(code), reason }
    }

    /// Reads the payload of a close frame.
    ///
    /// # Errors
    ///
    /// [`Error::HalfCloseCode`], [`Error::BadCloseCode`], or [`Error::NotUtf8`] for the reason.
    pub fn parse(payload: &[u8]) -> Result<Self, Error> {
        let Some((code, reason)) = payload.split_first_chunk::<2>() else {
            return if payload.is_empty() {
                Ok(Self::default())
            } else {
                Err(Error::HalfCloseCode)
            };
        };
        let number = u16::from_be_bytes(*code);
        let code = CloseCode::new(number).ok_or(Error::BadCloseCode(number))?;
        let reason = str::from_utf8(reason).map_err(|_| Error::NotUtf8)?;
        Ok(Self { code: Some(code), reason: reason.to_owned() })
    }

    /// Why; `None` when the peer did not say.
    pub fn code(&self) -> Option<CloseCode> {
        self.code
    }

    /// The reason, for people and logs. It comes from the peer: escape it before it is printed.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What to answer when this was received: the same code without the reason, so that nothing
    /// the peer wrote is echoed.
    pub fn reply(&self) -> Self {
        Self { code: self.code, reason: String::new() }
    }

    /// The payload of the frame.
    pub(crate) fn payload(&self) -> Bytes {
        let Some(code) = self.code else { return Bytes::new() };
        let mut payload = BytesMut::with_capacity(2 + self.reason.len());
        payload.put_u16(code.get());
        payload.put_slice(self.reason.as_bytes());
        payload.freeze()
    }
}

impl From<Error> for Close {
    /// The close that tells the peer what it did.
    fn from(error: Error) -> Self {
        Self::new(error.close_code(), &error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_codes_meant_for_the_wire_exist() {
        for code in [1000, 1001, 1002, 1003, 1007, 1011, 1014, 3000, 3999, 4000, 4999] {
            assert_eq!(CloseCode::new(code).map(CloseCode::get), Some(code));
        }
        for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] {
            assert_eq!(CloseCode::new(code), None, "{code}");
        }
    }

    #[test]
    fn a_close_reads_back_as_written() {
        for close in [Close::default(), Close::new(CloseCode::POLICY, "no ticket: ✗")] {
            assert_eq!(Close::parse(&close.payload()), Ok(close));
        }
    }

    #[test]
    fn a_long_reason_is_cut_between_characters() {
        let close = Close::new(CloseCode::NORMAL, &"é".repeat(100));
        assert_eq!(close.reason(), "é".repeat(61));
        assert!(close.payload().len() <= 125);
    }

    #[test]
    fn malformed_closes_are_refused() {
        assert_eq!(Close::parse(&[3]), Err(Error::HalfCloseCode));
        assert_eq!(Close::parse(&[0x03, 0xed]), Err(Error::BadCloseCode(1005)));
        assert_eq!(Close::parse(&[0x03, 0xe8, 0xff]), Err(Error::NotUtf8));
    }

    #[test]
    fn a_reply_repeats_the_code_and_not_the_reason() {
        let reply = Close::new(CloseCode::GOING_AWAY, "bye").reply();
        assert_eq!((reply.code(), reply.reason()), (Some(CloseCode::GOING_AWAY), ""));
        assert_eq!(Close::default().reply(), Close::default());
    }
}
