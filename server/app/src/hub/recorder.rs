//! Records one session: what its hub's tail shows, or the host still has, reaches the store
//! redacted, in order and once.
//!
//! What a reader would get wrong: the recorder never slows the hub. It follows the tail while it
//! can and asks the host when it has fallen off, so the hub only pushes into its tail and hands
//! over marks. What the host may forget is what the store has, and only the recorder says so.

mod gather;
mod intake;
mod source;
mod task;
#[cfg(test)]
mod tests;
mod writing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use link::Client;
use store::Store;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use wire::browser::Recording;
use wire::host::{Mark, SessionFacts};
use wire::{Seq, SessionId};

use self::intake::Intake;
use self::source::{HostSource, Record, Source, StoreRecord};
use self::task::Task;
use super::tail::Tail;
use crate::clock::Clock;

/// Lets a hub feed its recorder. Dropped, the recorder stores what the tail holds and ends.
#[derive(Debug)]
pub struct Recorder {
    marks: mpsc::Sender<Mark>,
    lost: Arc<AtomicBool>,
    status: watch::Receiver<Recording>,
    durable: watch::Receiver<Seq>,
    task: JoinHandle<()>,
}

impl Recorder {
    /// Starts recording where the store's record stands. The recorder before it, on this core or
    /// another, is refused from then on.
    pub fn start(store: Store, client: Client, facts: &SessionFacts, tail: Tail) -> Self {
        let session = facts.session;
        let source = HostSource { client, session };
        Self::with(source, StoreRecord { store, session }, session, facts.cols, tail)
    }

    fn with(
        source: impl Source,
        record: impl Record,
        session: SessionId,
        cols: u16,
        tail: Tail,
    ) -> Self {
        let (marks, coming) = mpsc::channel(intake::MARKS);
        let lost = Arc::new(AtomicBool::new(false));
        let (status, said) = watch::channel(Recording::On);
        let (durable, stored) = watch::channel(Seq::ZERO);
        let task = Task {
            source: Arc::new(source),
            record: Arc::new(record),
            session,
            cols,
            intake: Intake::new(tail, coming, Arc::clone(&lost)),
            status,
            durable,
            clock: Clock,
        };
        let task = tokio::spawn(task.run());
        Self { marks, lost, status: said, durable: stored, task }
    }

    /// Hands over a mark, after the output before it was pushed into the tail and before any
    /// after it is. Never waits: a mark that does not fit is read from the host.
    pub fn mark(&self, mark: Mark) {
        if self.marks.try_send(mark).is_err() {
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    /// How recording goes, as it changes.
    pub fn status(&self) -> watch::Receiver<Recording> {
        self.status.clone()
    }

    /// How far the session is recorded, as it moves.
    pub fn durable(&self) -> watch::Receiver<Seq> {
        self.durable.clone()
    }

    /// Lets go and waits until what the tail holds is stored, or cannot be.
    pub async fn close(self) {
        drop(self.marks);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "a recorder failed");
        }
    }
}
