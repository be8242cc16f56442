//! How fast something may be done in the long run: a bucket that fills steadily.
//!
//! A refusal says *when* to try again instead of waiting. The bucket begins full, so a short burst
//! costs nothing.

use std::time::{Duration, Instant};

/// A bucket of permits.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Most permits it holds.
    burst: u64,
    /// Time for one permit to come.
    per_permit: Duration,
    /// When the bucket would be full again if nobody took any more. Never past
    /// `burst * per_permit` from the last `now`.
    full_at: Instant,
}

impl Pace {
    /// A full bucket of `burst` permits that come back at one in `per_permit`.
    pub fn new(burst: u32, per_permit: Duration, now: Instant) -> Self {
        Self { burst: u64::from(burst), per_permit, full_at: now }
    }

    /// Takes `cost` permits; or takes nothing and answers when there will be as many.
    ///
    /// A cost above the burst is charged as the burst: it would never be had otherwise.
    pub fn take(&mut self, cost: u64, now: Instant) -> Option<Instant> {
        let empty_for = self.full_at.saturating_duration_since(now);
        let after = empty_for.saturating_add(self.time(cost.min(self.burst)));
        let room = self.time(self.burst);
        if after > room {
            return Some(now + (after - room));
        }
        self.full_at = now + after;
        None
    }

    fn time(&self, permits: u64) -> Duration {
        let nanos = self.per_permit.as_nanos().saturating_mul(u128::from(permits));
        Duration::from_nanos(nanos.try_into().unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{ms, start};

    #[test]
    fn a_burst_passes_and_then_one_at_a_time() {
        let now = start();
        let mut pace = Pace::new(3, ms(100), now);
        for _ in 0..3 {
            assert_eq!(pace.take(1, now), None);
        }
        assert_eq!(pace.take(1, now + ms(40)), Some(now + ms(100)));
        assert_eq!(pace.take(1, now + ms(100)), None);
        assert_eq!(pace.take(9, now + ms(100)), Some(now + ms(400)), "charged as the burst");
    }

    #[test]
    fn a_long_rest_saves_no_more_than_the_burst() {
        let now = start();
        let mut pace = Pace::new(2, ms(100), now);
        let later = now + ms(1_000_000);
        assert_eq!([pace.take(1, later), pace.take(1, later)], [None, None]);
        assert_eq!(pace.take(1, later), Some(later + ms(100)));
    }

    proptest! {
        #[test]
        fn the_long_run_rate_is_never_passed_and_a_retry_in_time_succeeds(
            burst in 1_u32..20, every in 1_u64..200,
            takes in prop::collection::vec((1_u64..10, 0_u64..300), 1..200),
        ) {
            let begin = start();
            let (mut pace, mut now, mut taken) = (Pace::new(burst, ms(every), begin), begin, 0);
            for (cost, wait) in takes {
                now += ms(wait);
                if let Some(at) = pace.take(cost, now) {
                    prop_assert!(at > now);
                    now = at;
                    prop_assert_eq!(pace.take(cost, now), None);
                }
                taken += cost.min(u64::from(burst));
                let earned = u64::from(burst) * every + u64::try_from((now - begin).as_millis()).unwrap();
                prop_assert!(taken * every <= earned);
            }
        }
    }
}
