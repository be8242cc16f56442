//! One batch on its way to the store, until it is known what became of it.
//!
//! What failed is tried again as it is, ever less often: a batch names where the record must end
//! before it, so storing it twice is impossible, and an answer that got lost comes to light as a
//! record that already ends where the batch does.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use store::{AppendError, Batch, Role, StoreError};

use super::source::Record;

/// A write that takes longer is said to be behind.
const SLOW: Duration = Duration::from_secs(2);

/// The first pause after a failure; each next one is twice as long.
const BACKOFF_FIRST: Duration = Duration::from_millis(100);
/// The longest pause.
const BACKOFF_MOST: Duration = Duration::from_secs(5);

/// What became of a batch.
#[derive(Debug)]
pub(super) enum Landed {
    /// It is stored.
    Stored(Arc<Batch>),
    /// The store did not take it; it is on its way again.
    Failed(AppendError),
    /// The record stands elsewhere: go on from there.
    Moved(Role),
    /// Another recorder has the session, or it is gone from the store.
    Refused(AppendError),
}

type Flight = Pin<Box<dyn Future<Output = (Arc<Batch>, Result<(), AppendError>)> + Send>>;

/// The way to the store.
pub(super) struct Writing<R> {
    record: Arc<R>,
    flight: Option<Flight>,
    /// When the batch was last sent on its way.
    since: Instant,
    /// Failures in a row.
    failures: u32,
}

impl<R: Record> Writing<R> {
    pub(super) fn new(record: Arc<R>, now: Instant) -> Self {
        Self { record, flight: None, since: now, failures: 0 }
    }

    /// Whether nothing is on its way.
    pub(super) fn is_idle(&self) -> bool {
        self.flight.is_none()
    }

    /// Failures in a row.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    /// When what is on its way will have taken long.
    pub(super) fn slow_at(&self) -> Option<Instant> {
        self.flight.as_ref().map(|_| self.since + SLOW)
    }

    /// Sends a batch on its way. Only while nothing is.
    pub(super) fn start(&mut self, batch: Batch, now: Instant) {
        debug_assert!(self.is_idle(), "one batch at a time");
        self.since = now;
        self.send(Arc::new(batch), Duration::ZERO);
    }

    /// Waits for what is on its way; for ever while nothing is. Dropped and called again, it has
    /// lost nothing.
    pub(super) async fn landed(&mut self) -> Landed {
        let Some(flight) = &mut self.flight else { return std::future::pending().await };
        let (batch, result) = flight.await;
        self.flight = None;
        match result {
            Ok(()) => self.stored(batch),
            Err(AppendError::Moved { durable, mark, redact_state }) => {
                if (durable, mark) == (batch.to, batch.mark) {
                    return self.stored(batch);
                }
                Landed::Moved(Role { durable, mark, redact_state, epoch: batch.epoch })
            }
            Err(error @ (AppendError::Fenced | AppendError::Store(StoreError::NotFound(_)))) => {
                Landed::Refused(error)
            }
            Err(error) => {
                self.failures += 1;
                self.send(batch, backoff(self.failures));
                Landed::Failed(error)
            }
        }
    }

    fn stored(&mut self, batch: Arc<Batch>) -> Landed {
        self.failures = 0;
        Landed::Stored(batch)
    }

    fn send(&mut self, batch: Arc<Batch>, pause: Duration) {
        let record = Arc::clone(&self.record);
        self.flight = Some(Box::pin(async move {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            let result = record.append(Arc::clone(&batch)).await;
            (batch, result)
        }));
    }
}

/// How long to wait after so many failures in a row.
pub(super) fn backoff(failures: u32) -> Duration {
    let doubled = 2_u32.checked_pow(failures.saturating_sub(1)).unwrap_or(u32::MAX);
    BACKOFF_FIRST.saturating_mul(doubled).min(BACKOFF_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds() {
        let pauses: Vec<_> = (1..=8).map(|n| backoff(n).as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(backoff(u32::MAX), BACKOFF_MOST);
    }
}
