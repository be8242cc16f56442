//! Why a connection must end, and the close code that says so.
//!
//! Every variant is fatal: after the first error a decoder reads nothing more. There is no
//! resynchronizing inside a WebSocket stream, since a wrong length makes the rest meaningless.

use crate::close::CloseCode;

/// What the peer did that RFC 6455, RFC 7692 or our limits forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// RSV2 or RSV3 is set, or RSV1 where no compressed message can start.
    #[error("reserved bit set where no extension gives it a meaning")]
    ReservedBit,
    /// The opcode is one of 3 to 7 or 11 to 15.
    #[error("unknown opcode {0}")]
    UnknownOpcode(u8),
    /// A close, ping or pong says that more of it follows.
    #[error("fragmented control frame")]
    FragmentedControl,
    /// A close, ping or pong declares more than 125 bytes.
    #[error("control frame longer than 125 bytes")]
    LongControl,
    /// A length that fits a shorter form came in a longer one.
    #[error("length not in its shortest form")]
    OverlongLength,
    /// The 64-bit length has its highest bit set.
    #[error("length past 2^63")]
    LengthOutOfRange,
    /// A client sent a frame without a mask.
    #[error("unmasked frame from a client")]
    Unmasked,
    /// A server sent a frame with a mask.
    #[error("masked frame from a server")]
    Masked,
    /// A continuation came with no message under way.
    #[error("continuation of no message")]
    StrayContinuation,
    /// A new message started before the last one ended.
    #[error("message started inside another")]
    InterleavedMessage,
    /// A message came in more and smaller pieces than any honest sender makes.
    #[error("message in too many small fragments")]
    TooManyFragments,
    /// A message is longer than the limit, as declared or once inflated.
    #[error("message longer than {limit_bytes} bytes")]
    TooBig {
        /// The limit it passed.
        limit_bytes: usize,
    },
    /// A text message or a close reason is not UTF-8.
    #[error("text is not UTF-8")]
    NotUtf8,
    /// A compressed message is not DEFLATE data, or stops in the middle of it.
    #[error("compressed message is corrupt")]
    CorruptDeflate,
    /// A close frame holds one byte: half a code.
    #[error("close frame of one byte")]
    HalfCloseCode,
    /// A close frame holds a code that may not be sent.
    #[error("close code {0} may not be sent")]
    BadCloseCode(u16),
}

impl Error {
    /// The code to close the connection with.
    pub fn close_code(self) -> CloseCode {
        match self {
            Self::ReservedBit
            | Self::UnknownOpcode(_)
            | Self::FragmentedControl
            | Self::LongControl
            | Self::OverlongLength
            | Self::LengthOutOfRange
            | Self::Unmasked
            | Self::Masked
            | Self::StrayContinuation
            | Self::InterleavedMessage
            | Self::HalfCloseCode
            | Self::BadCloseCode(_) => CloseCode::PROTOCOL,
            Self::NotUtf8 | Self::CorruptDeflate => CloseCode::INVALID_DATA,
            Self::TooManyFragments => CloseCode::POLICY,
            Self::TooBig { .. } => CloseCode::TOO_BIG,
        }
    }
}
