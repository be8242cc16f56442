//! Whether the host reads the PTY now.
//!
//! Two things may make a program wait in write(2), and no third. The *record* may: output that
//! is not stored and fits nowhere else must not be lost, unless the person chose gaps. And the
//! *holder's* viewer may ([`Hold`]), where the person asked for it, for a bounded time. A slow
//! watcher never does.

use std::time::{Duration, Instant};

use wire::Seq;

use crate::ring::RING_BYTES;

/// Past so much unstored output the recorder is given a moment ...
pub const WAIT_ABOVE_BYTES: u64 = 4 * 1024 * 1024;
/// ... and below so much the episode is over, so that the next one has its own moment.
pub const EPISODE_BELOW_BYTES: u64 = 2 * 1024 * 1024;
/// The moment: a commit takes milliseconds, a program notices hundreds of them.
pub const EPISODE_WAIT: Duration = Duration::from_millis(250);

/// How far ahead of the holder's viewer a program may be under `pace = "holder"`.
pub const HOLD_AHEAD_BYTES: u64 = 1024 * 1024;
/// A hold without progress for so long is off.
pub const HOLD_PATIENCE: Duration = Duration::from_millis(500);
/// What counts as progress.
pub const HOLD_PROGRESS_BYTES: u64 = 256 * 1024;

/// What happens when output fits nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The program waits.
    #[default]
    Block,
    /// The oldest is evicted and the gap recorded.
    Gap,
}

/// Where output can go that the ring has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spool {
    /// There is none, or it failed.
    None,
    /// It takes more.
    Room,
    /// It takes no more until something of it is stored.
    Full,
}

/// What to do next with the PTY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read it.
    Read,
    /// Move the ring's oldest unstored output to the spool, then ask again.
    Spill,
    /// Ask again when something was stored; if an instant is named, then at the latest.
    Wait(Option<Instant>),
}

/// The record's say in when a PTY is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    policy: Policy,
    /// Until when the recorder is waited for in this episode; none outside of one.
    patience: Option<Instant>,
}

impl Flow {
    /// With the policy for output that fits nowhere.
    pub fn new(policy: Policy) -> Self {
        Self { policy, patience: None }
    }

    /// The person chose what to do, such as to go on without recording.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Decides, with what the ring holds unstored.
    pub fn poll(&mut self, undurable_bytes: u64, spool: Spool, now: Instant) -> Step {
        if undurable_bytes < EPISODE_BELOW_BYTES {
            self.patience = None;
        }
        if undurable_bytes <= WAIT_ABOVE_BYTES {
            return Step::Read;
        }
        let until = *self.patience.get_or_insert(now + EPISODE_WAIT);
        if now < until {
            return Step::Wait(Some(until));
        }
        match (spool, self.policy) {
            (Spool::Room, _) => Step::Spill,
            (Spool::None | Spool::Full, Policy::Block) if undurable_bytes >= RING_BYTES => {
                Step::Wait(None)
            }
            (Spool::None | Spool::Full, Policy::Block | Policy::Gap) => Step::Read,
        }
    }
}

/// The holder's say, under `pace = "holder"`. The timer is here, at the host: no core or viewer
/// that is gone can leave a PTY paused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold {
    on: Option<On>,
}

#[derive(Clone, Copy, Debug)]
struct On {
    parsed: Seq,
    /// What was parsed when the patience began, and when that was; none while nothing waits.
    waiting: Option<(Seq, Instant)>,
}

impl Hold {
    /// No hold.
    pub fn new() -> Self {
        Self::default()
    }

    /// The core says how far the holder's viewer has parsed, or that there is no hold. A hold that
    /// is off begins only near the end, so that nobody pauses a program by being far behind.
    pub fn on_hold(&mut self, parsed: Option<Seq>, end: Seq, now: Instant) {
        let Some(parsed) = parsed else {
            self.on = None;
            return;
        };
        match &mut self.on {
            Some(on) => {
                on.parsed = on.parsed.max(parsed);
                if let Some((from, since)) = &mut on.waiting
                    && on.parsed.bytes_since(*from) >= HOLD_PROGRESS_BYTES
                {
                    (*from, *since) = (on.parsed, now);
                }
            }
            None if end.bytes_since(parsed) <= HOLD_AHEAD_BYTES => {
                self.on = Some(On { parsed, waiting: None });
            }
            None => {}
        }
    }

    /// Until when reading waits for the holder; none: read.
    pub fn poll(&mut self, end: Seq, now: Instant) -> Option<Instant> {
        let on = self.on.as_mut()?;
        if end.bytes_since(on.parsed) <= HOLD_AHEAD_BYTES {
            on.waiting = None;
            return None;
        }
        let (_, since) = *on.waiting.get_or_insert((on.parsed, now));
        let until = since + HOLD_PATIENCE;
        if now >= until {
            self.on = None;
            return None;
        }
        Some(until)
    }

    /// Whether the holder paces the program.
    pub fn is_on(&self) -> bool {
        self.on.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{ms, start};

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn the_recorder_gets_one_moment_an_episode_and_then_the_spool_takes_over() {
        let (mut flow, now) = (Flow::default(), start());
        let until = now + EPISODE_WAIT;
        assert_eq!(flow.poll(4 * MIB, Spool::Room, now), Step::Read);
        assert_eq!(flow.poll(5 * MIB, Spool::Room, now), Step::Wait(Some(until)));
        assert_eq!(flow.poll(5 * MIB, Spool::Room, until), Step::Spill);
        assert_eq!(flow.poll(3 * MIB, Spool::Room, until), Step::Read);
        assert_eq!(flow.poll(5 * MIB, Spool::Room, until), Step::Spill, "the same episode");
        assert_eq!(flow.poll(MIB, Spool::Room, until), Step::Read);
        let again = Step::Wait(Some(until + EPISODE_WAIT));
        assert_eq!(flow.poll(5 * MIB, Spool::Room, until), again, "a new one");
    }

    #[test]
    fn a_full_spool_asks_the_policy_when_the_ring_is_full_too() {
        for spool in [Spool::None, Spool::Full] {
            for (policy, step) in [(Policy::Block, Step::Wait(None)), (Policy::Gap, Step::Read)] {
                let (mut flow, now) = (Flow::new(policy), start());
                flow.poll(5 * MIB, spool, now);
                let late = now + EPISODE_WAIT;
                assert_eq!(flow.poll(8 * MIB - 1, spool, late), Step::Read);
                assert_eq!(flow.poll(8 * MIB, spool, late), step);
            }
        }
    }

    #[test]
    fn a_holder_that_stops_parsing_stops_nothing_for_long() {
        let (mut hold, now) = (Hold::new(), start());
        hold.on_hold(Some(Seq(0)), Seq(0), now);
        assert_eq!(hold.poll(Seq(MIB), now), None);
        let until = now + HOLD_PATIENCE;
        assert_eq!(hold.poll(Seq(MIB + 1), now), Some(until));
        hold.on_hold(Some(Seq(1)), Seq(2 * MIB), until - ms(1));
        assert_eq!(hold.poll(Seq(2 * MIB), until - ms(1)), Some(until), "too little progress");
        assert_eq!(hold.poll(Seq(2 * MIB), until), None);
        hold.on_hold(Some(Seq(2)), Seq(2 * MIB), until);
        assert!(!hold.is_on(), "too far behind to begin again");
        hold.on_hold(Some(Seq(MIB)), Seq(2 * MIB), until);
        assert!(hold.is_on());
    }

    #[test]
    fn a_holder_that_keeps_parsing_paces_the_program() {
        let (mut hold, mut now) = (Hold::new(), start());
        hold.on_hold(Some(Seq(0)), Seq(0), now);
        let mut parsed = 0;
        for _ in 0..20 {
            let end = Seq(parsed + MIB + 1);
            let until = hold.poll(end, now);
            assert!(until.is_some_and(|until| until > now));
            now += ms(499);
            parsed += HOLD_PROGRESS_BYTES;
            hold.on_hold(Some(Seq(parsed)), end, now);
        }
        hold.on_hold(None, Seq(9 * MIB), now);
        assert_eq!(hold.poll(Seq(99 * MIB), now), None);
    }

    proptest! {
        /// Whatever a viewer and a core do, the PTY is read again after the patience at most.
        #[test]
        fn no_hold_pauses_a_program_for_longer_than_its_patience_without_progress(
            script in prop::collection::vec((prop::option::of(0_u64..4 * MIB), 0_u64..400), 1..80)
        ) {
            let (mut hold, mut now, end) = (Hold::new(), start(), Seq(4 * MIB));
            let mut paused: Option<(Instant, u64)> = None;
            let mut parsed = 0;
            for (said, wait) in script {
                now += ms(wait);
                parsed = parsed.max(said.unwrap_or(0));
                hold.on_hold(said.map(Seq), end, now);
                paused = match (hold.poll(end, now), paused) {
                    (None, _) => None,
                    (Some(_), Some((_, from))) if parsed >= from + HOLD_PROGRESS_BYTES => {
                        Some((now, parsed))
                    }
                    (Some(_), Some(since)) => Some(since),
                    (Some(_), None) => Some((now, parsed)),
                };
                prop_assert!(paused.is_none_or(|(since, _)| now < since + HOLD_PATIENCE));
            }
        }
    }
}
