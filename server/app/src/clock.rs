//! What time it is, read here and nowhere else in the core.
//!
//! Deadlines, leases and tickets live on the monotonic clock; wall time is for display and for
//! rows. Rules never read either: they are told.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The core's clock. A test that pauses tokio's time pauses this one too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock;

impl Clock {
    /// Now, for deadlines.
    pub fn now(self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    /// Now, for people and rows: milliseconds since 1970.
    pub fn wall_ms(self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}
