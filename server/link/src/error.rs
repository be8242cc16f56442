//! What can go wrong on the link: with the connection ([`LinkError`]), with one call
//! ([`CallError`]).

use wire::frame::FrameError;
use wire::{ErrorBody, ErrorCode};

/// The connection cannot be made or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The socket failed.
    #[error("the link's socket failed: {0}")]
    Io(#[from] std::io::Error),
    /// The other side is a user that is not allowed. Nothing was said to it.
    #[error("the peer's user id {0} is not allowed")]
    Peer(u32),
    /// A frame that no honest peer sends.
    #[error("the peer sent a broken frame: {0}")]
    Frame(#[from] FrameError),
    /// A frame longer than allowed at this point.
    #[error("the peer declared a frame of {bytes} bytes, {most} are allowed")]
    TooLong {
        /// What it declared.
        bytes: u64,
        /// What is allowed now.
        most: u64,
    },
    /// The connection ended inside a frame.
    #[error("the link ended inside a frame")]
    Cut,
    /// The connection ended.
    #[error("the link is closed")]
    Closed,
    /// JSON that does not parse, or a frame that does not belong here.
    #[error("the peer sent what nobody asked for: {0}")]
    Unexpected(String),
    /// The host refused the hello.
    #[error("the pane host refused the core: {0}")]
    Refused(ErrorBody),
    /// The two sides have no version in common.
    #[error("the pane host speaks link version {0}, which this core does not")]
    Version(u32),
    /// No hello, or no answer to it, in time.
    #[error("the other side did not say hello in time")]
    Timeout,
}

/// One call did not succeed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The host said no, or the way to it is full (`busy`).
    #[error("{0}")]
    Refused(ErrorBody),
    /// The deadline passed. Whether the host acted is not known.
    #[error("the pane host did not answer in time")]
    Timeout,
    /// The connection ended. Whether the host acted is not known.
    #[error("the link to the pane host is closed")]
    Closed,
}

impl CallError {
    /// Too much is waiting to be sent: nothing of this call was.
    pub(crate) fn busy() -> Self {
        Self::Refused(ErrorBody::new(ErrorCode::Busy, "too much is waiting for the pane host"))
    }

    /// The host answered with something else than was asked for.
    pub(crate) fn unexpected() -> Self {
        Self::Refused(ErrorBody::new(
            ErrorCode::Internal,
            "the pane host answered with something else than was asked for",
        ))
    }
}
