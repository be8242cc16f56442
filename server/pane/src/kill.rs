//! How a session is ended: HUP, TERM, KILL, each with time to obey.
//!
//! The ladder is about *every* process of the session, not about the first one. KILL is reached
//! however the others are answered, and repeated while something forks faster than it dies. Once
//! nothing is alive nothing is sent: by then a pid may be somebody else's.

use std::time::{Duration, Instant};

/// Time to obey HUP: an interactive shell ends its jobs with it.
pub const HUP_GRACE: Duration = Duration::from_secs(2);
/// Time to obey TERM: what a program needs to write its state.
pub const TERM_GRACE: Duration = Duration::from_secs(3);
/// Between looks for processes that appeared while others were being killed.
pub const SWEEP_EVERY: Duration = Duration::from_millis(100);
/// What is alive so long after the first KILL may not be ours to signal, or hangs in the kernel.
pub const KILL_PATIENCE: Duration = Duration::from_secs(3);

/// A session on its way to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kill {
    rung: Rung,
}

/// How far up the ladder; each with when to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rung {
    Hup { next: Instant },
    Term { next: Instant },
    Kill { next: Instant, give_up: Instant },
    Over { left: bool },
}

/// A signal to every process of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The terminal is gone.
    Hup,
    /// Please end.
    Term,
    /// End.
    Kill,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this to everything alive.
    Send(Signal),
    /// Look again then, or as soon as something has ended.
    Wait(Instant),
    /// Nothing is alive.
    Ended,
    /// Something outlived KILL: name it.
    LeftOver,
}

impl Kill {
    /// Begins. HUP is to be sent at once.
    pub fn start(now: Instant) -> (Self, Signal) {
        (Self { rung: Rung::Hup { next: now + HUP_GRACE } }, Signal::Hup)
    }

    /// Begins at TERM, for what was asked to end softly and has no terminal to lose.
    pub fn start_at_term(now: Instant) -> (Self, Signal) {
        (Self { rung: Rung::Term { next: now + TERM_GRACE } }, Signal::Term)
    }

    /// Goes on; `alive` is whether any process of the session lives.
    pub fn poll(&mut self, now: Instant, alive: bool) -> Next {
        if !alive && self.rung != (Rung::Over { left: true }) {
            self.rung = Rung::Over { left: false };
        }
        match self.rung {
            Rung::Hup { next } if now >= next => {
                self.rung = Rung::Term { next: now + TERM_GRACE };
                Next::Send(Signal::Term)
            }
            Rung::Term { next } if now >= next => {
                self.rung = Rung::Kill { next: now + SWEEP_EVERY, give_up: now + KILL_PATIENCE };
                Next::Send(Signal::Kill)
            }
            Rung::Kill { give_up, .. } if now >= give_up => {
                self.rung = Rung::Over { left: true };
                Next::LeftOver
            }
            Rung::Kill { next, give_up } if now >= next => {
                self.rung = Rung::Kill { next: now + SWEEP_EVERY, give_up };
                Next::Send(Signal::Kill)
            }
            Rung::Hup { next } | Rung::Term { next } | Rung::Kill { next, .. } => Next::Wait(next),
            Rung::Over { left: true } => Next::LeftOver,
            Rung::Over { left: false } => Next::Ended,
        }
    }

    /// When to poll again at the latest; none when it is over.
    pub fn deadline(&self) -> Option<Instant> {
        match self.rung {
            Rung::Hup { next } | Rung::Term { next } | Rung::Kill { next, .. } => Some(next),
            Rung::Over { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{ms, start};

    #[test]
    fn kill_is_always_reached_in_five_seconds() {
        let now = start();
        let (mut kill, first) = Kill::start(now);
        assert_eq!(first, Signal::Hup);
        assert_eq!(kill.poll(now, true), Next::Wait(now + HUP_GRACE));
        assert_eq!(kill.poll(now + ms(2_000), true), Next::Send(Signal::Term));
        assert_eq!(kill.poll(now + ms(4_999), true), Next::Wait(now + ms(5_000)));
        assert_eq!(kill.poll(now + ms(5_000), true), Next::Send(Signal::Kill));
    }

    #[test]
    fn what_forks_while_it_dies_is_killed_again_until_it_is_named() {
        let now = start();
        let (mut kill, _) = Kill::start_at_term(now);
        assert_eq!(kill.poll(now + TERM_GRACE, true), Next::Send(Signal::Kill));
        let again = now + TERM_GRACE + SWEEP_EVERY;
        assert_eq!(kill.poll(again, true), Next::Send(Signal::Kill));
        assert_eq!(kill.poll(now + TERM_GRACE + KILL_PATIENCE, true), Next::LeftOver);
        assert_eq!(kill.deadline(), None);
        assert_eq!(kill.poll(again, false), Next::LeftOver, "the answer stays");
    }

    proptest! {
        #[test]
        fn nothing_is_sent_once_nothing_is_alive(
            steps in prop::collection::vec((0_u64..900, prop::bool::weighted(0.9)), 1..60)
        ) {
            let mut now = start();
            let (mut kill, _) = Kill::start(now);
            let mut died = false;
            for (wait, alive) in steps {
                now += ms(wait);
                let next = kill.poll(now, alive);
                died |= next == Next::Ended;
                if died {
                    prop_assert_eq!(next, Next::Ended);
                }
                if let Next::Wait(until) = next {
                    prop_assert!(until > now && kill.deadline() == Some(until));
                }
            }
        }
    }
}
