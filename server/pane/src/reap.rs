//! Which sessions are ended because nobody needs them now.
//!
//! Only one that can be resumed is ever reaped, and only after half an hour in which nobody
//! watched it, it printed nothing and used next to no processor. Time counts only while a core is
//! connected: with no core nobody *can* watch.

use std::time::{Duration, Instant};

use wire::Seq;

/// How long a session is idle before it is ended.
pub const IDLE: Duration = Duration::from_secs(30 * 60);
/// Busy: this share of one processor or more, in percent.
pub const BUSY_PERCENT: u32 = 1;

/// How long one session has been idle.
#[derive(Debug)]
pub struct Reap {
    /// Idle time so far, without the time in which no core was connected.
    idle: Duration,
    /// When it was last looked at.
    looked: Instant,
    /// The end of its output then.
    end: Seq,
}

/// What a look at a session finds.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The end of its output.
    pub end: Seq,
    /// Whether a viewer is attached or an agent that started it lives.
    pub watched: bool,
    /// Processor use since the last look, in percent of one.
    pub cpu_percent: u32,
    /// Whether a core is connected.
    pub core: bool,
    /// Whether its profile can resume and does not forbid it.
    pub resumable: bool,
}

impl Reap {
    /// A session that has just begun.
    pub fn new(now: Instant) -> Self {
        Self { idle: Duration::ZERO, looked: now, end: Seq::ZERO }
    }

    /// Looks at the session. True when it is to be ended.
    pub fn on_look(&mut self, facts: Facts, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.looked);
        let busy = facts.watched || facts.end != self.end || facts.cpu_percent >= BUSY_PERCENT;
        self.looked = now;
        self.end = facts.end;
        if busy {
            self.idle = Duration::ZERO;
        } else if facts.core {
            self.idle += since;
        }
        facts.resumable && self.idle >= IDLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::start;

    const QUIET: Facts =
        Facts { end: Seq::ZERO, watched: false, cpu_percent: 0, core: true, resumable: true };

    #[test]
    fn half_an_hour_of_nothing_ends_a_session_that_can_resume() {
        let now = start();
        let mut reap = Reap::new(now);
        assert!(!reap.on_look(QUIET, now + IDLE - Duration::from_millis(1)));
        assert!(reap.on_look(QUIET, now + IDLE));
        assert!(!reap.on_look(Facts { resumable: false, ..QUIET }, now + IDLE * 9));
    }

    #[test]
    fn a_viewer_output_or_work_starts_it_over() {
        let busy = [
            Facts { watched: true, ..QUIET },
            Facts { end: Seq(1), ..QUIET },
            Facts { cpu_percent: 1, ..QUIET },
        ];
        for facts in busy {
            let now = start();
            let mut reap = Reap::new(now);
            assert!(!reap.on_look(facts, now + IDLE), "{facts:?}");
            let quiet = Facts { end: facts.end, ..QUIET };
            assert!(!reap.on_look(quiet, now + IDLE * 2 - Duration::from_millis(1)));
            assert!(reap.on_look(quiet, now + IDLE * 2));
        }
    }

    #[test]
    fn time_without_a_core_does_not_count() {
        let now = start();
        let mut reap = Reap::new(now);
        assert!(!reap.on_look(QUIET, now + IDLE / 2));
        assert!(!reap.on_look(Facts { core: false, ..QUIET }, now + IDLE * 5));
        assert!(!reap.on_look(QUIET, now + IDLE * 5 + IDLE / 4));
        assert!(reap.on_look(QUIET, now + IDLE * 5 + IDLE / 2));
    }
}
