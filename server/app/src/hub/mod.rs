//! One task per session: what it prints reaches its viewers and its record.

pub mod frame;
pub mod recorder;
pub mod tail;

/// The sessions' hubs.
#[derive(Debug, Default)]
pub struct Hubs {}
