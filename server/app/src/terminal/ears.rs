//! What a driver watches while it waits: states, so that nothing that happened meanwhile is missed.

use std::time::Duration;

use tokio::sync::watch;
use wire::Seq;

use crate::hub::hub::Watching;

/// A viewer that is behind is not helped by more output: it looks again only so often.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What a driver watches.
#[derive(Debug)]
pub(super) struct Ears {
    /// The tail's end.
    pub(super) end: watch::Receiver<Seq>,
    /// Counts the news of the session.
    pub(super) news: watch::Receiver<u64>,
    /// Whether another socket has taken over; changes with every message for this one alone.
    pub(super) mail: watch::Receiver<bool>,
}

impl Ears {
    pub(super) fn new(watching: &Watching) -> Self {
        Self {
            end: watching.hub().tail().watch(),
            news: watching.hub().watch(),
            mail: watching.mailbox().watch(),
        }
    }

    /// Waits for anything new that matters. What is new already is noticed at once.
    pub(super) async fn wait(&mut self, waits_for: WaitsFor) {
        let end = &mut self.end;
        // None of them closes while the viewer watches.
        let output = async {
            match waits_for {
                WaitsFor::Output => drop(end.changed().await),
                WaitsFor::Window => {
                    drop(end.changed().await);
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                WaitsFor::Socket => std::future::pending().await,
            }
        };
        tokio::select! {
            _new = self.news.changed() => {}
            _new = self.mail.changed() => {}
            () = output => {}
        }
    }
}

/// What a viewer is held up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitsFor {
    /// It has everything.
    Output,
    /// It has not parsed what it was sent.
    Window,
    /// The socket takes no more.
    Socket,
}
