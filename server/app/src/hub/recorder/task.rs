//! The task that records one session.
//!
//! It feeds what the intake has, hands the store one batch at a time, and tells the host what is
//! stored. When the store does not answer it tries the same batch again, ever less often, while
//! output gathers up to its bound; then nothing more is fed and the host keeps the rest. It ends
//! when the program's end is stored, when another recorder takes over, or when the hub lets go or
//! the host is gone and what the tail still held is stored.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use link::{CallError, ReadHead};
use store::{Role, StoreError};
use tokio::sync::watch;
use wire::browser::{Exit, Recording};
use wire::{ErrorCode, Seq, SessionId};

use super::gather::Gather;
use super::intake::{Intake, Next};
use super::source::{Record, Source};
use super::writing::{Landed, Writing, backoff};
use crate::clock::Clock;

/// How far before the record's end a redactor must start to know what it stands in.
const CONTEXT_BYTES: u64 = 128 * 1024;

/// Asked of the host at once: as much as it answers. The intake may so pass its bound by this.
const READ_BYTES: u32 = 256 * 1024;

/// How long a host that did not answer is left alone.
const ASK_AGAIN: Duration = Duration::from_secs(5);
/// How long a host that had nothing new is: only one that knows less than the store has nothing.
const ASK_SOON: Duration = Duration::from_millis(100);

/// Failures in a row after which a recorder whose session is gone gives up: half a minute.
const LAST_TRIES: u32 = 10;

/// The task's parts.
#[derive(Debug)]
pub(super) struct Task<S, R> {
    pub(super) source: Arc<S>,
    pub(super) record: Arc<R>,
    pub(super) session: SessionId,
    /// Columns to assume while the record has no mark.
    pub(super) cols: u16,
    pub(super) intake: Intake,
    pub(super) status: watch::Sender<Recording>,
    pub(super) durable: watch::Sender<Seq>,
    pub(super) clock: Clock,
}

/// How following a session ended.
enum End {
    /// There is no more to record, or not by this recorder.
    Done,
    /// The record stands elsewhere: go on from there.
    Moved(Role),
}

/// A question on its way to the host.
type Pull = Pin<Box<dyn Future<Output = Result<(ReadHead, Bytes), CallError>> + Send>>;

impl<S: Source, R: Record> Task<S, R> {
    /// Records until there is nothing more to record.
    pub(super) async fn run(mut self) {
        let Some((mut role, mut cols)) = self.take_role().await else { return };
        loop {
            let Some(before) = self.before(role).await else { return };
            self.source.durable(role.durable, role.mark);
            self.durable.send_replace(role.durable);
            let gather = Gather::new(self.session, role, cols.unwrap_or(self.cols), &before);
            match self.follow(gather).await {
                End::Done => return,
                End::Moved(to) => {
                    role = to;
                    cols = self.record.cols().await.unwrap_or(cols);
                }
            }
        }
    }

    /// Takes the right to record; none when there is no such session or the hub lets go.
    async fn take_role(&mut self) -> Option<(Role, Option<u16>)> {
        let mut failures = 0;
        loop {
            match self.record.take_role().await {
                Ok(role) => return Some(role),
                Err(StoreError::NotFound(_)) => return None,
                Err(error) => tracing::warn!(session = %self.session, %error, "not recording yet"),
            }
            self.say(Recording::Behind);
            self.pause(&mut failures).await.then_some(())?;
        }
    }

    /// Raw output before the record's end, for the redactor to look at. None: the host is gone
    /// before anything could be recorded.
    async fn before(&mut self, role: Role) -> Option<Vec<u8>> {
        let mut before = Vec::new();
        let mut at = role.durable.back(CONTEXT_BYTES);
        let mut failures = 0;
        while at < role.durable {
            let most = u32::try_from(role.durable.bytes_since(at)).unwrap_or(u32::MAX);
            match self.source.read(at, u64::MAX, most).await {
                // A host that has less than the store, or nothing so far back.
                Ok((head, _)) if head.from >= role.durable || head.to <= at => break,
                Ok((head, bytes)) => {
                    if head.from > at {
                        before.clear();
                    }
                    before.extend_from_slice(&bytes);
                    at = head.to;
                }
                Err(error) if is_gone(&error) => return None,
                Err(CallError::Refused(body)) if body.code == ErrorCode::Gap => break,
                Err(error) => {
                    tracing::debug!(session = %self.session, %error, "the host does not answer");
                    self.pause(&mut failures).await.then_some(())?;
                }
            }
        }
        Some(before)
    }

    async fn follow(&mut self, mut gather: Gather) -> End {
        let mut writing = Writing::new(Arc::clone(&self.record), self.clock.now());
        let mut pull: Option<Pull> = None;
        // Until then the host is not asked again.
        let mut pull_at: Option<Instant> = None;
        let mut gone = false;
        loop {
            let now = self.clock.now();
            let closing = gone || self.intake.is_closed();
            if closing {
                pull = None;
            }
            pull_at = pull_at.filter(|at| *at > now);
            gather.on_time(now);

            let mut next = Next::Nothing;
            if pull.is_none() && !gather.is_full() && gather.exit().is_none() {
                next = self.intake.feed(&mut gather, now);
            }
            if next == Next::Pull && !closing && pull_at.is_none() {
                pull = Some(self.pull(&gather));
            }
            let drained = closing && next != Next::Fed && !gather.is_full();
            if drained {
                // Nothing comes any more: what is held goes out as after a pause.
                gather.settle(now);
                gather.close();
            }
            if writing.is_idle() {
                if let Some(batch) = gather.take(now) {
                    writing.start(batch, now);
                } else if let Some((exit, at_ms)) = gather.exit() {
                    self.exited(exit, at_ms).await;
                    return End::Done;
                } else if drained {
                    return End::Done;
                }
            }

            let slow_at = writing.slow_at();
            if slow_at.is_some_and(|at| at <= now) {
                self.say(Recording::Behind);
            }
            let slow_at = slow_at.filter(|at| *at > now);
            let due_at = gather.deadline(!writing.is_idle());
            let wake_at = [slow_at, due_at, pull_at].into_iter().flatten().min();
            let output = next == Next::Nothing && pull.is_none() && !gather.is_full();
            tokio::select! {
                biased;
                landed = writing.landed() => {
                    let gives_up = closing && writing.failures() > LAST_TRIES;
                    match self.on_landed(landed) {
                        Some(end) => return end,
                        None if gives_up => return End::Done,
                        None => {}
                    }
                }
                answer = answered(&mut pull) => {
                    pull = None;
                    match answer {
                        Ok((head, bytes)) => pull_at = self.on_read(&mut gather, head, &bytes),
                        Err(error) if is_gone(&error) => gone = true,
                        Err(error) => {
                            tracing::debug!(session = %self.session, %error, "no answer");
                            pull_at = Some(self.clock.now() + ASK_AGAIN);
                        }
                    }
                }
                () = tokio::task::yield_now(), if next == Next::Fed => {}
                () = self.intake.changed(output), if !self.intake.is_closed() => {}
                () = until(wake_at) => {}
            }
        }
    }

    fn pull(&self, gather: &Gather) -> Pull {
        let (source, from, mark) = (Arc::clone(&self.source), gather.fed(), gather.mark());
        Box::pin(async move { source.read(from, mark, READ_BYTES).await })
    }

    /// Feeds what the host answered; says when to ask again if that was nothing.
    fn on_read(&mut self, gather: &mut Gather, head: ReadHead, bytes: &Bytes) -> Option<Instant> {
        let now = self.clock.now();
        if head.from > gather.fed() {
            tracing::warn!(session = %self.session, from = %gather.fed(), to = %head.from, "a gap");
            self.say(Recording::Gap);
        }
        let before = (gather.fed(), gather.mark());
        self.intake.on_read(gather, head, bytes, READ_BYTES, now);
        (before == (gather.fed(), gather.mark())).then_some(now + ASK_SOON)
    }

    /// Tells the host what is stored, the hub how it goes. How it ends, when it cannot go on.
    fn on_landed(&self, landed: Landed) -> Option<End> {
        let session = self.session;
        match landed {
            Landed::Stored(batch) => {
                self.source.durable(batch.to, batch.mark);
                self.durable.send_replace(batch.to);
                self.say(Recording::On);
                None
            }
            Landed::Failed(error) => {
                tracing::warn!(%session, %error, "not stored, trying again");
                self.say(Recording::Behind);
                None
            }
            Landed::Moved(role) => {
                tracing::info!(%session, durable = %role.durable, "the record stands elsewhere");
                Some(End::Moved(role))
            }
            Landed::Refused(error) => {
                tracing::info!(%session, %error, "no longer recording");
                Some(End::Done)
            }
        }
    }

    /// Everything is stored: notes how the program ended.
    async fn exited(&mut self, exit: Exit, at_ms: u64) {
        let at_ms = i64::try_from(at_ms).unwrap_or(i64::MAX);
        let mut failures = 0;
        while let Err(error) = self.record.set_exited(exit, at_ms).await {
            tracing::warn!(session = %self.session, %error, "its end is not noted yet");
            if !self.pause(&mut failures).await {
                // The next start of the core hears it from the host.
                return;
            }
        }
    }

    /// How recording goes. A gap stays said: there is one in the record.
    fn say(&self, recording: Recording) {
        self.status.send_if_modified(|said| {
            let news = *said != recording && *said != Recording::Gap;
            if news {
                *said = recording;
            }
            news
        });
    }

    /// Waits a while after a failure. False: the hub has let go.
    async fn pause(&mut self, failures: &mut u32) -> bool {
        *failures += 1;
        let over = tokio::time::sleep(backoff(*failures));
        tokio::pin!(over);
        while !self.intake.is_closed() {
            tokio::select! {
                () = &mut over => return true,
                () = self.intake.changed(false) => {}
            }
        }
        false
    }
}

/// Whether the session cannot be asked for any more.
fn is_gone(error: &CallError) -> bool {
    match error {
        CallError::Closed => true,
        CallError::Refused(body) => body.code == ErrorCode::NotFound,
        CallError::Timeout => false,
    }
}

async fn answered(pull: &mut Option<Pull>) -> Result<(ReadHead, Bytes), CallError> {
    match pull {
        Some(pull) => pull.await,
        None => std::future::pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
