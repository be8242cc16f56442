//! One task per session: what it prints reaches its viewers and its record.

/// The sessions' hubs.
#[derive(Debug, Default)]
pub struct Hubs {}
