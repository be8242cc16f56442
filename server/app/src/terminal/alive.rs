//! Whether somebody is still at the other end.
//!
//! Silence alone does not close a socket that has output outstanding: a stopped page is not a dead
//! one, and is shown the screen when it wakes. For the right to type it counts as gone all the
//! same.

use std::time::{Duration, Instant};

use wire::limits;

/// Between two pings.
const EVERY: Duration = Duration::from_millis(limits::PING_MS);
/// Pings that may go unanswered.
const MISSED: u32 = 2;
/// How long a stopped viewer is kept.
const STOPPED: Duration = Duration::from_secs(5 * 60);

/// What is known of the other end.
#[derive(Debug)]
pub(super) struct Alive {
    /// When to ping next.
    ping_at: Instant,
    /// Pings since it was last heard.
    unanswered: u32,
    /// When it was first found silent.
    silent_since: Option<Instant>,
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing.
    Nothing,
    /// Ask whether it is there.
    Ping,
    /// The same, and for its lease it is gone.
    Silent,
    /// Nobody is there.
    Dead,
}

impl Alive {
    pub(super) fn new(now: Instant) -> Self {
        Self { ping_at: now + EVERY, unanswered: 0, silent_since: None }
    }

    /// Something came from it. True when it had been silent.
    pub(super) fn on_heard(&mut self) -> bool {
        self.unanswered = 0;
        self.silent_since.take().is_some()
    }

    /// When to ask again.
    pub(super) fn deadline(&self) -> Instant {
        self.ping_at
    }

    /// What is due; `outstanding` is whether it was sent what it has not parsed.
    pub(super) fn poll(&mut self, outstanding: bool, now: Instant) -> Due {
        if now < self.ping_at {
            return Due::Nothing;
        }
        self.ping_at = now + EVERY;
        if self.unanswered < MISSED {
            self.unanswered += 1;
            return Due::Ping;
        }
        match self.silent_since {
            _ if !outstanding => Due::Dead,
            Some(since) if now >= since + STOPPED => Due::Dead,
            Some(_) => Due::Ping,
            None => {
                self.silent_since = Some(now);
                Due::Silent
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_unanswered_pings_and_nothing_outstanding_are_a_dead_end() {
        let now = Instant::now();
        let mut alive = Alive::new(now);
        assert_eq!(alive.poll(false, now), Due::Nothing);
        assert_eq!(alive.poll(false, now + EVERY), Due::Ping);
        assert_eq!(alive.poll(false, now + EVERY * 2), Due::Ping);
        assert_eq!(alive.poll(false, now + EVERY * 3), Due::Dead);
    }

    #[test]
    fn a_pong_in_time_starts_it_over() {
        let now = Instant::now();
        let mut alive = Alive::new(now);
        for n in 1..20 {
            assert_eq!(alive.poll(false, now + EVERY * n), Due::Ping);
            assert!(!alive.on_heard());
        }
    }

    #[test]
    fn a_stopped_viewer_is_kept_for_five_minutes() {
        let now = Instant::now();
        let mut alive = Alive::new(now);
        alive.poll(true, now + EVERY);
        alive.poll(true, now + EVERY * 2);
        assert_eq!(alive.poll(true, now + EVERY * 3), Due::Silent);
        assert_eq!(alive.poll(true, now + EVERY * 4), Due::Ping);
        assert!(alive.on_heard(), "it is back");
        for n in 5..=6 {
            alive.poll(true, now + EVERY * n);
        }
        assert_eq!(alive.poll(true, now + EVERY * 7), Due::Silent);
        assert_eq!(alive.poll(true, now + EVERY * 7 + STOPPED), Due::Dead);
    }
}
