//! What changed, told to every page that keeps a list: numbered, the last 1,024 kept.
//!
//! A follower that asks for an event no longer kept, or of another start of the core, is told to
//! fetch everything again; one that falls behind while connected is told the same. Nobody is ever
//! skipped in silence, and nobody can hold a publisher up.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use wire::event::{Event, EventEnvelope};

/// Events kept for those who come back: a page that was away for longer fetches everything again.
const KEPT: usize = 1024;

/// The core's events. A cheap clone.
#[derive(Clone, Debug)]
pub struct Events(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Names this start of the core.
    boot: String,
    log: Mutex<VecDeque<(u64, Event)>>,
    /// Number of the newest event; 0 before the first. Changed while `log` is locked.
    newest: watch::Sender<u64>,
}

/// One follower's place in the events.
#[derive(Debug)]
pub struct Follower {
    events: Events,
    newest: watch::Receiver<u64>,
    /// Number of the last event this follower has.
    at: u64,
    /// Whether it must fetch everything again before anything else.
    reset: bool,
}

impl Events {
    /// No events yet. `boot` names this start of the core among all.
    pub fn new(boot: [u8; 8]) -> Self {
        let boot = boot.iter().map(|byte| format!("{byte:02x}")).collect();
        let (newest, _) = watch::channel(0);
        Self(Arc::new(Shared { boot, log: Mutex::new(VecDeque::new()), newest }))
    }

    /// Tells everybody.
    pub fn publish(&self, event: Event) {
        let mut log = self.0.log.lock().unwrap_or_else(PoisonError::into_inner);
        let n = *self.0.newest.borrow() + 1;
        if log.len() == KEPT {
            log.pop_front();
        }
        log.push_back((n, event));
        self.0.newest.send_replace(n);
    }

    /// Follows from the event named `after` on; from now on when none is named.
    pub fn follow(&self, after: Option<&str>) -> Follower {
        let newest = self.0.newest.subscribe();
        let now = *newest.borrow();
        let at = match after {
            None => Some(now),
            Some(id) => id.split_once(':').and_then(|(boot, n)| {
                let n = n.parse().ok().filter(|n| *n <= now)?;
                (boot == self.0.boot).then_some(n)
            }),
        };
        Follower { events: self.clone(), newest, at: at.unwrap_or(now), reset: at.is_none() }
    }

    fn envelope(&self, n: u64, event: Event) -> EventEnvelope {
        EventEnvelope { id: format!("{}:{n}", self.0.boot), event }
    }

    /// The first event after `at`: none when there is none, `Err` with the newest number when
    /// it is no longer kept.
    fn after(&self, at: u64) -> Result<Option<(u64, Event)>, u64> {
        let log = self.0.log.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = *self.0.newest.borrow();
        if at == newest {
            return Ok(None);
        }
        let oldest = log.front().map_or(newest, |(n, _)| *n);
        let index = (at + 1).checked_sub(oldest).and_then(|n| usize::try_from(n).ok());
        index.and_then(|index| log.get(index)).cloned().map(Some).ok_or(newest)
    }
}

impl Follower {
    /// The next event, when there is one. None once the core has dropped its events.
    ///
    /// Cancel safe: nothing is taken until it is returned.
    pub async fn next(&mut self) -> Option<EventEnvelope> {
        loop {
            if let Some(envelope) = self.ready() {
                return Some(envelope);
            }
            self.newest.changed().await.ok()?;
        }
    }

    /// The next event, if it is there already.
    pub fn ready(&mut self) -> Option<EventEnvelope> {
        if std::mem::take(&mut self.reset) {
            return Some(self.events.envelope(self.at, Event::Reset {}));
        }
        // Marked as seen before the look, so that an event published between wakes us again.
        self.newest.borrow_and_update();
        match self.events.after(self.at) {
            Ok(None) => None,
            Ok(Some((n, event))) => {
                self.at = n;
                Some(self.events.envelope(n, event))
            }
            Err(newest) => {
                self.at = newest;
                Some(self.events.envelope(newest, Event::Reset {}))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up(up: bool) -> Event {
        Event::Host { up }
    }

    #[test]
    fn a_follower_sees_what_comes_after_it_in_order() {
        let events = Events::new([1; 8]);
        events.publish(up(false));
        let mut follower = events.follow(None);
        assert_eq!(follower.ready(), None);
        events.publish(up(true));
        events.publish(up(false));
        assert_eq!(follower.ready().unwrap().event, up(true));
        let last = follower.ready().unwrap();
        assert_eq!(last.id, "0101010101010101:3");
        assert_eq!(follower.ready(), None);
        events.publish(up(true));
        assert_eq!(events.follow(Some(&last.id)).ready().unwrap().event, up(true));
    }

    #[test]
    fn another_boot_or_a_number_of_the_future_resets_once() {
        let events = Events::new([1; 8]);
        for id in ["0202020202020202:0", "0101010101010101:9", "nonsense", ""] {
            let mut follower = events.follow(Some(id));
            assert_eq!(follower.ready().unwrap().event, Event::Reset {}, "{id}");
            assert_eq!(follower.ready(), None);
        }
    }

    #[test]
    fn a_follower_too_far_behind_resets_and_goes_on_from_now() {
        let events = Events::new([1; 8]);
        let mut follower = events.follow(None);
        for _ in 0..=KEPT {
            events.publish(up(true));
        }
        assert_eq!(follower.ready().unwrap().event, Event::Reset {});
        assert_eq!(follower.ready(), None);
        events.publish(up(false));
        assert_eq!(follower.ready().unwrap().event, up(false));
    }

    #[tokio::test]
    async fn a_waiting_follower_wakes() {
        let events = Events::new([1; 8]);
        let mut follower = events.follow(None);
        let waiting = tokio::spawn(async move { follower.next().await });
        tokio::task::yield_now().await;
        events.publish(up(true));
        assert_eq!(waiting.await.unwrap().unwrap().event, up(true));
    }
}
