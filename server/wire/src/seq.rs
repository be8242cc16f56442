//! Where in a session's output something stands.
//!
//! There is one meaning everywhere: an offset in bytes from the session's start. In frames it is
//! always the *end* of what the frame holds.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// An offset in a session's output, in bytes from its start. Exact in JSON up to 2^53.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    TS,
    ToSchema,
)]
#[serde(transparent)]
#[ts(type = "number")]
#[schema(value_type = u64)]
pub struct Seq(pub u64);

impl Seq {
    /// The start of every session's output.
    pub const ZERO: Self = Self(0);

    /// The offset `bytes` further on.
    ///
    /// # Panics
    ///
    /// Past 2^64 bytes, which a PTY at 1 GB/s reaches after 584 years.
    #[must_use]
    pub fn advance(self, bytes: u64) -> Self {
        Self(self.0.checked_add(bytes).expect("a session prints fewer than 2^64 bytes"))
    }

    /// The offset `bytes` further back, or the start.
    #[must_use]
    pub fn back(self, bytes: u64) -> Self {
        Self(self.0.saturating_sub(bytes))
    }

    /// Bytes between `earlier` and this offset; 0 when `earlier` is later.
    pub fn bytes_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl std::fmt::Display for Seq {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A stretch of output: `from..to`. Never reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// The first byte.
    pub from: Seq,
    /// One past the last byte. Not before `from`.
    pub to: Seq,
}

impl Span {
    /// How many bytes it holds.
    pub fn bytes(self) -> u64 {
        self.to.bytes_since(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_offset_is_no_bytes_ahead() {
        assert_eq!(Seq(5).bytes_since(Seq(9)), 0);
        assert_eq!(Seq(9).bytes_since(Seq(5)), 4);
        assert_eq!(Seq(3).back(10), Seq::ZERO);
    }
}
