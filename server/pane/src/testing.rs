//! A moment for tests to count from: they move time, they never read it.

use std::time::{Duration, Instant};

/// Where a test's clock starts.
#[expect(clippy::disallowed_methods, reason = "an Instant can be had no other way")]
pub(crate) fn start() -> Instant {
    Instant::now()
}

/// Milliseconds as a `Duration`.
pub(crate) fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
