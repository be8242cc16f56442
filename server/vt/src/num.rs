//! Conversions between the sizes numbers have in a cell and as an index.
//!
//! None can fail for a value this crate makes; out of range they saturate, so that a mistake draws
//! wrong instead of ending a session.

/// A stored 32-bit number as an index.
#[inline]
pub(crate) fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// An index as a stored 32-bit number.
#[inline]
pub(crate) fn word(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// An index as a stored 16-bit number.
#[inline]
pub(crate) fn narrow(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// The low byte.
#[inline]
pub(crate) fn low(value: u32) -> u8 {
    value.to_le_bytes()[0]
}
