//! Which inputs were applied: each once, in order, or visibly refused.
//!
//! A viewer's ids count up for its life. After a reconnect it sends again what was not
//! acknowledged; an id that is not above the last one taken is not applied a second time. After a
//! refusal whatever else was typed before the viewer knew is refused too: the viewer then counts
//! its *run* up, and only input of a run that has seen the refusal is taken. Input without an id
//! has no resend, so none of this concerns it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use wire::host::By;
use wire::{CallerId, ViewerId};

/// Viewers whose ids are remembered; the one gone longest is forgotten first.
pub const VIEWERS: usize = 64;
/// How long a viewer that is gone is remembered.
pub const KEPT: Duration = Duration::from_secs(60);

/// What the viewers of one session have sent.
#[derive(Debug, Default)]
pub struct Inputs {
    viewers: BTreeMap<(CallerId, ViewerId), Sent>,
}

/// What one viewer has sent.
#[derive(Debug)]
struct Sent {
    /// The last id taken into the queue.
    taken: Option<u64>,
    /// The last id written to the PTY whole. Never past `taken`.
    written: Option<u64>,
    /// The last id that was taken and then dropped before it was written whole.
    dropped: Option<u64>,
    /// The last run in which something was refused.
    refused_run: Option<u32>,
    /// When it last sent something.
    heard: Instant,
    /// When its last socket went.
    gone: Option<Instant>,
}

/// What to do with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Offer it to the lease and the queue, then call [`Inputs::on_taken`] or
    /// [`Inputs::on_refused`].
    Judge,
    /// It was taken before. With an id: acknowledge that one now; without: it is still queued and
    /// will be acknowledged when written.
    Taken(Option<u64>),
    /// It was taken before and dropped unwritten: say so again.
    Dropped,
    /// Something before it was refused and the viewer did not know: refuse it.
    AfterRefused,
}

impl Inputs {
    /// Nothing was sent yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An input has come.
    pub fn on_input(&mut self, by: &By, run: u32, id: Option<u64>, now: Instant) -> Verdict {
        let Some(id) = id else { return Verdict::Judge };
        let sent = self.viewer(by, now);
        if sent.taken.is_some_and(|taken| id <= taken) {
            return match sent.written.filter(|written| id <= *written) {
                None if sent.dropped.is_some_and(|dropped| id <= dropped) => Verdict::Dropped,
                written => Verdict::Taken(written),
            };
        }
        if sent.refused_run.is_some_and(|refused| run <= refused) {
            return Verdict::AfterRefused;
        }
        Verdict::Judge
    }

    /// It was admitted and queued whole.
    pub fn on_taken(&mut self, by: &By, id: Option<u64>, now: Instant) {
        if let Some(id) = id {
            let sent = self.viewer(by, now);
            sent.taken = sent.taken.max(Some(id));
        }
    }

    /// It was refused, or dropped before it was written whole: so is the rest of its run.
    pub fn on_refused(&mut self, by: &By, run: u32, id: Option<u64>, now: Instant) {
        if let Some(id) = id {
            let sent = self.viewer(by, now);
            sent.refused_run = sent.refused_run.max(Some(run));
            if sent.taken.is_some_and(|taken| id <= taken) {
                sent.dropped = sent.dropped.max(Some(id));
            }
        }
    }

    /// Its last byte was written. Answers the id to acknowledge, if the viewer is still known.
    pub fn on_written(&mut self, caller: CallerId, viewer: ViewerId, id: u64) -> Option<u64> {
        let sent = self.viewers.get_mut(&(caller, viewer))?;
        sent.written = sent.written.max(Some(id));
        sent.written
    }

    /// The viewer's last socket is gone.
    pub fn on_gone(&mut self, by: &By, now: Instant) {
        if let Some(sent) = self.viewers.get_mut(&key(by)) {
            sent.gone = Some(now);
        }
    }

    /// The viewer is back.
    pub fn on_back(&mut self, by: &By, now: Instant) {
        self.on_time(now);
        if let Some(sent) = self.viewers.get_mut(&key(by)) {
            sent.gone = None;
        }
    }

    /// When [`Self::on_time`] has something to forget.
    pub fn deadline(&self) -> Option<Instant> {
        self.viewers.values().filter_map(|sent| sent.gone).min().map(|gone| gone + KEPT)
    }

    /// Forgets viewers that are gone for good.
    pub fn on_time(&mut self, now: Instant) {
        self.viewers.retain(|_, sent| sent.gone.is_none_or(|gone| now < gone + KEPT));
    }

    /// How many viewers are remembered.
    pub fn len(&self) -> usize {
        self.viewers.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.viewers.is_empty()
    }

    fn viewer(&mut self, by: &By, now: Instant) -> &mut Sent {
        let key = key(by);
        if self.viewers.len() >= VIEWERS && !self.viewers.contains_key(&key) {
            // Gone ones first, then whoever has been silent longest.
            let least =
                self.viewers.iter().min_by_key(|(_, sent)| (sent.gone.is_none(), sent.heard));
            if let Some(least) = least.map(|(key, _)| *key) {
                self.viewers.remove(&least);
            }
        }
        let sent = self.viewers.entry(key).or_insert(Sent {
            taken: None,
            written: None,
            dropped: None,
            refused_run: None,
            heard: now,
            gone: None,
        });
        sent.heard = now;
        sent.gone = None;
        sent
    }
}

fn key(by: &By) -> (CallerId, ViewerId) {
    (by.caller, by.viewer)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wire::browser::CallerKind;

    use super::*;
    use crate::testing::{ms, start};

    #[test]
    fn an_id_is_applied_once_and_acknowledged_again() {
        let (mut inputs, now) = (Inputs::new(), start());
        let ana = by(1);
        assert_eq!(inputs.on_input(&ana, 0, Some(1), now), Verdict::Judge);
        inputs.on_taken(&ana, Some(1), now);
        assert_eq!(inputs.on_input(&ana, 0, Some(1), now), Verdict::Taken(None), "still queued");
        assert_eq!(inputs.on_written(ana.caller, ana.viewer, 1), Some(1));
        assert_eq!(inputs.on_input(&ana, 0, Some(1), now), Verdict::Taken(Some(1)));
        assert_eq!(inputs.on_input(&ana, 0, Some(2), now), Verdict::Judge);
    }

    #[test]
    fn what_was_typed_before_a_refusal_was_known_is_refused_too() {
        let (mut inputs, now) = (Inputs::new(), start());
        let ana = by(1);
        inputs.on_refused(&ana, 0, Some(5), now);
        assert_eq!(inputs.on_input(&ana, 0, Some(6), now), Verdict::AfterRefused);
        assert_eq!(inputs.on_input(&ana, 1, Some(7), now), Verdict::Judge);
        assert_eq!(inputs.on_input(&by(2), 0, Some(6), now), Verdict::Judge, "somebody else");
    }

    #[test]
    fn what_was_dropped_unwritten_is_said_again_to_who_sends_it_again() {
        let (mut inputs, now) = (Inputs::new(), start());
        let ana = by(1);
        for id in 1..=3 {
            inputs.on_taken(&ana, Some(id), now);
        }
        inputs.on_written(ana.caller, ana.viewer, 1);
        inputs.on_refused(&ana, 0, Some(2), now);
        inputs.on_refused(&ana, 0, Some(3), now);
        assert_eq!(inputs.on_input(&ana, 0, Some(1), now), Verdict::Taken(Some(1)));
        assert_eq!(inputs.on_input(&ana, 0, Some(3), now), Verdict::Dropped);
        assert_eq!(inputs.on_input(&ana, 0, Some(4), now), Verdict::AfterRefused);
    }

    #[test]
    fn input_without_an_id_is_always_judged() {
        let (mut inputs, now) = (Inputs::new(), start());
        inputs.on_refused(&by(1), 0, None, now);
        assert_eq!(inputs.on_input(&by(1), 0, None, now), Verdict::Judge);
        assert!(inputs.is_empty());
    }

    #[test]
    fn a_gone_viewer_is_remembered_for_a_minute() {
        let (mut inputs, now) = (Inputs::new(), start());
        inputs.on_taken(&by(1), Some(4), now);
        inputs.on_gone(&by(1), now);
        inputs.on_time(now + KEPT - ms(1));
        assert_eq!(inputs.on_input(&by(1), 0, Some(4), now + KEPT), Verdict::Taken(None));
        inputs.on_gone(&by(1), now);
        assert_eq!(inputs.deadline(), Some(now + KEPT));
        inputs.on_time(now + KEPT);
        assert!(inputs.is_empty());
    }

    #[test]
    fn the_viewer_gone_longest_makes_room() {
        let (mut inputs, now) = (Inputs::new(), start());
        for n in 0..64 {
            inputs.on_taken(&by(n), Some(1), now + ms(u64::from(n)));
        }
        inputs.on_gone(&by(7), now);
        inputs.on_taken(&by(64), Some(1), now + ms(100));
        assert_eq!(inputs.len(), VIEWERS);
        assert_eq!(inputs.on_input(&by(0), 0, Some(1), now), Verdict::Taken(None));
        assert_eq!(inputs.on_input(&by(7), 0, Some(1), now), Verdict::Judge, "it was forgotten");
    }

    proptest! {
        /// Any viewer that sends its unacknowledged inputs again, in order, after any cut.
        #[test]
        fn resends_after_cuts_apply_each_id_once_and_in_order(
            cuts in prop::collection::vec((1_u64..8, 0_u64..8), 1..40)
        ) {
            let (mut inputs, now) = (Inputs::new(), start());
            let ana = by(1);
            let (mut applied, mut acked, mut typed) = (Vec::new(), 0, 0);
            for (more, arrive) in cuts {
                typed += more;
                for id in (acked + 1..=typed).take(arrive.try_into().unwrap()) {
                    match inputs.on_input(&ana, 0, Some(id), now) {
                        Verdict::Judge => {
                            inputs.on_taken(&ana, Some(id), now);
                            applied.push(id);
                            acked = inputs.on_written(ana.caller, ana.viewer, id).unwrap();
                        }
                        Verdict::Taken(Some(id)) => acked = acked.max(id),
                        Verdict::Taken(None) | Verdict::Dropped | Verdict::AfterRefused => {
                            prop_assert!(false, "{} was written and never refused", id);
                        }
                    }
                }
            }
            let all: Vec<u64> = (1..=acked).collect();
            prop_assert_eq!(applied, all);
        }
    }

    fn by(n: u8) -> By {
        By {
            caller: CallerId::from_random([n; 16]),
            viewer: ViewerId::from_random([n; 16]),
            name: String::new(),
            kind: CallerKind::Person,
            owner: false,
        }
    }
}
