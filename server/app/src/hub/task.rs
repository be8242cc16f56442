//! Follows one session on its host for as long as the host has it, over every new link.
//!
//! It takes what the session says as it comes and never waits for a viewer, the store or anything
//! else that may be slow: the host measures how far behind it is, and skips what is too much.

use std::sync::Arc;
use std::time::{Duration, Instant};

use link::{CallError, Client, SessionEvent};
use tokio::sync::{mpsc, watch};
use wire::browser::{Recording, Scope, ServerMessage, SessionState};
use wire::host::{JoinHead, Mark, MarkKind, Request, SessionFacts};
use wire::{ErrorCode, Seq, limits};

use super::hub::Hub;
use super::recorder::Recorder;
use super::snapshot::Whole;
use super::stored;
use crate::state::App;

/// Between two joins: a flood with many viewers still costs the host ten screens a second.
const JOIN_EVERY: Duration = Duration::from_millis(100);
/// After one that failed.
const JOIN_AGAIN: Duration = Duration::from_secs(1);
/// The host hears how far the hub is once in so many bytes; it allows 4 MiB.
const TOOK_EVERY_BYTES: u64 = 512 * 1024;
/// Events taken in one go before others have their turn.
const BURST: usize = 64;
/// Between two tries to attach.
const ATTACH_AGAIN: Duration = Duration::from_millis(250);
/// An ended session is let go when it is stored whole and unwatched, looked at so often.
const LET_GO_EVERY: Duration = Duration::from_secs(15);

/// A session that is followed.
pub(super) struct Task {
    app: App,
    hub: Arc<Hub>,
    /// The last mark that was seen.
    mark: u64,
    /// Marks up to here were known when the hub began: their sizes are past.
    known_mark: u64,
    /// What the host was told that the hub has taken.
    took: Seq,
    joining: Joining,
    /// How the host says that recording goes.
    host_recording: Recording,
}

/// The one join in flight, or when the next may be asked for.
#[derive(Debug)]
struct Joining {
    in_flight: bool,
    not_before: Instant,
}

/// Why following over one link ended.
enum Over {
    /// The link is gone: there will be another.
    Link,
    /// The host no longer has the session.
    Forgotten,
    /// Nobody needs it followed, or the core stops.
    Done,
}

impl Task {
    /// A task that follows the session from what is known of it.
    pub(super) fn new(app: &App, hub: Arc<Hub>, facts: &SessionFacts) -> Self {
        let now = app.clock.now();
        Self {
            took: hub.tail().taken(),
            app: app.clone(),
            hub,
            mark: 0,
            known_mark: facts.mark,
            joining: Joining { in_flight: false, not_before: now },
            host_recording: Recording::On,
        }
    }

    /// Follows it until there is nothing more to follow.
    pub(super) async fn run(mut self) {
        let mut hosts = self.app.hosts.watch();
        let mut ended = self.hub.watch();
        loop {
            let over = match self.app.hosts.up() {
                Some(up) => self.link(&up.client).await,
                None => {
                    let shutdown = self.app.shutdown.clone();
                    tokio::select! {
                        _changed = hosts.changed() => Over::Link,
                        _changed = ended.changed() => Over::Link,
                        () = shutdown.begun() => Over::Done,
                    }
                }
            };
            self.hub.set_client(None);
            self.joining.in_flight = false;
            match over {
                Over::Link if self.hub.look().end().is_none() => {}
                Over::Link | Over::Forgotten => return self.show_record().await,
                Over::Done => return,
            }
        }
    }

    /// Follows it over one link.
    async fn link(&mut self, client: &Client) -> Over {
        let (session, after) = (self.hub.session(), self.hub.tail().taken());
        let (attached, events) = match client.attach(session, after, self.mark).await {
            Ok(attached) => attached,
            Err(CallError::Refused(error)) if error.code == ErrorCode::NotFound => {
                return Over::Forgotten;
            }
            Err(error) => {
                tracing::debug!(%session, %error, "a session cannot be followed now");
                tokio::select! {
                    () = tokio::time::sleep(ATTACH_AGAIN) => return Over::Link,
                    () = self.app.shutdown.begun() => return Over::Done,
                }
            }
        };
        if attached.from > after {
            self.hub.tail().skip(attached.from);
        }
        self.took = self.hub.tail().taken();
        self.on_facts(&attached.facts);
        self.hub.set_client(Some(client.clone()));
        let tail = self.hub.tail().clone();
        let recorder =
            Recorder::start(self.app.store.clone(), client.clone(), &attached.facts, tail);
        let over = self.follow(client, events, &recorder).await;
        if matches!(over, Over::Done) {
            if let Err(error) = client.detach(session).await {
                tracing::debug!(%session, %error, "the host was not told to stop");
            }
            recorder.close().await;
        }
        over
    }

    async fn follow(
        &mut self,
        client: &Client,
        mut events: mpsc::Receiver<SessionEvent>,
        recorder: &Recorder,
    ) -> Over {
        let mut wanted = self.hub.wanted();
        wanted.mark_changed();
        let mut recording = recorder.status();
        recording.mark_changed();
        let shutdown = self.app.shutdown.clone();
        let mut look = tokio::time::interval(LET_GO_EVERY);
        loop {
            let join_at = self.joining.not_before.into();
            tokio::select! {
                event = events.recv() => {
                    let mut event = event;
                    for _ in 0..BURST {
                        match event {
                            None | Some(SessionEvent::Closed) => return Over::Link,
                            Some(SessionEvent::JoinFailed(error))
                                if error.code == ErrorCode::NotFound =>
                            {
                                return Over::Forgotten;
                            }
                            Some(event) => self.on_event(client, event, recorder),
                        }
                        let Ok(next) = events.try_recv() else { break };
                        event = Some(next);
                    }
                }
                () = wants(&mut wanted, join_at), if !self.joining.in_flight => {
                    self.join(client, &mut wanted);
                }
                () = changed(&mut recording) => self.tell_recording(*recording.borrow()),
                _ = look.tick() => {
                    if self.can_let_go(recorder) && self.hub.close_if_idle() {
                        return Over::Done;
                    }
                }
                () = shutdown.begun() => return Over::Done,
            }
        }
    }

    fn on_event(&mut self, client: &Client, event: SessionEvent, recorder: &Recorder) {
        let session = self.hub.session();
        match event {
            SessionEvent::Output { end, at_ms, bytes } => {
                self.on_output(end, at_ms, &bytes);
                let taken = self.hub.tail().taken();
                if taken.bytes_since(self.took) >= TOOK_EVERY_BYTES {
                    self.say_took(client, taken);
                }
            }
            SessionEvent::Skip { from: _, to } => {
                if to > self.hub.tail().taken() {
                    self.hub.tail().skip(to);
                }
                self.say_took(client, to);
            }
            SessionEvent::Mark(mark) => {
                self.on_mark(&mark);
                recorder.mark(mark);
            }
            SessionEvent::Exited { exit, seq: _ } => {
                self.hub.tail().finish(self.app.clock.now());
                let news = self.hub.change(|state| {
                    let news = state.status.exit != Some(exit);
                    state.status.state = SessionState::Exited;
                    state.status.exit = Some(exit);
                    news
                });
                if news {
                    self.app.notes.exited(session, exit, self.app.clock.wall_ms());
                }
            }
            SessionEvent::Lease(lease) => {
                let now = self.app.clock.now();
                self.hub.change(|state| (state.lease, state.lease_at) = (lease, now));
            }
            SessionEvent::InputAck { viewer, id } => {
                self.hub.tell(viewer, &ServerMessage::InputAck { id });
            }
            SessionEvent::Refused { viewer, id, code, holder } => {
                self.hub.tell(viewer, &ServerMessage::Refused { id, code, holder });
            }
            SessionEvent::Modes(modes) => self.hub.change(|state| state.modes = modes),
            SessionEvent::Title(title) => self.app.notes.titled(session, title),
            SessionEvent::Recording(recording) => {
                self.host_recording = recording;
                self.tell_recording(*recorder.status().borrow());
            }
            SessionEvent::Join { head, bytes } => {
                self.joining.in_flight = false;
                self.on_join(&head, &bytes);
            }
            SessionEvent::JoinFailed(error) => {
                tracing::debug!(%session, %error, "no screen");
                self.joining =
                    Joining { in_flight: false, not_before: self.app.clock.now() + JOIN_AGAIN };
            }
            // Ends the loop before it comes here.
            SessionEvent::Closed => {}
        }
    }

    fn on_output(&self, end: Seq, at_ms: u64, bytes: &[u8]) {
        let tail = self.hub.tail();
        let start = end.back(u64::try_from(bytes.len()).unwrap_or(0));
        let taken = tail.taken();
        if start > taken {
            tracing::warn!(session = %self.hub.session(), %taken, %start, "output is missing");
            tail.skip(start);
        }
        // What was taken before the link broke comes once more only if the host is mistaken.
        let again = usize::try_from(taken.bytes_since(start)).unwrap_or(usize::MAX);
        let fresh = bytes.get(again..).unwrap_or_default();
        if !fresh.is_empty() {
            tail.push(fresh, at_ms, self.app.clock.now());
        }
    }

    fn on_mark(&mut self, mark: &Mark) {
        self.mark = self.mark.max(mark.n);
        if let MarkKind::Resize { cols, rows, by } = &mark.kind
            && mark.n > self.known_mark
        {
            // An undecided character is drawn after the resize, here as at the host.
            let seq = self.hub.tail().span().to;
            self.hub.change(|state| state.on_resize(seq, *cols, *rows, by.clone()));
            self.app.notes.resized(self.hub.session(), *cols, *rows);
        }
    }

    fn on_join(&self, head: &JoinHead, bytes: &bytes::Bytes) {
        let tail = self.hub.tail();
        if head.seq != tail.taken() {
            tracing::warn!(session = %self.hub.session(), "a screen came out of order");
            return;
        }
        // A character that has only begun is sent whole later, so it is taken off here.
        let held = tail.held();
        let (seq, bytes) = match bytes.strip_suffix(held.as_slice()) {
            Some(drawn) => (tail.span().to, bytes.slice_ref(drawn)),
            None => (head.seq, bytes.clone()),
        };
        let resize = self.hub.look().size().n;
        let JoinHead { cols, rows, scope, modes, .. } = *head;
        self.hub.on_snapshot(Whole { seq, cols, rows, scope, resize, stored: false, bytes });
        self.hub.change(|state| state.modes = modes);
    }

    /// What the host says when it is attached to.
    fn on_facts(&self, facts: &SessionFacts) {
        let now = self.app.clock.now();
        let session = self.hub.session();
        self.hub.change(|state| {
            state.modes = facts.modes;
            (state.lease, state.lease_at) = (facts.lease.clone(), now);
        });
        if let Some(title) = &facts.title {
            self.app.notes.titled(session, title.clone());
        }
    }

    fn join(&mut self, client: &Client, wanted: &mut watch::Receiver<Option<Scope>>) {
        let Some(scope) = *wanted.borrow_and_update() else { return };
        let every = match client.join(self.hub.session(), scope) {
            Ok(()) => JOIN_EVERY,
            Err(error) => {
                tracing::debug!(session = %self.hub.session(), %error, "no screen");
                wanted.mark_changed();
                JOIN_AGAIN
            }
        };
        let not_before = self.app.clock.now() + every;
        self.joining = Joining { in_flight: every == JOIN_EVERY, not_before };
    }

    fn say_took(&mut self, client: &Client, seq: Seq) {
        self.took = seq;
        let session = self.hub.session();
        if client.send(Request::Took { session, seq }).is_err() {
            tracing::debug!(%session, "the link closed before the host heard what was taken");
        }
    }

    /// The host knows what it could keep, the recorder what it could store: the worse counts.
    fn tell_recording(&self, recorder: Recording) {
        let recording = match self.host_recording {
            Recording::On => recorder,
            Recording::Off | Recording::Behind | Recording::Gap => self.host_recording,
        };
        self.hub.change(|state| state.status.recording = recording);
        self.app.notes.recorded(self.hub.session(), recording);
    }

    /// Whether the session has ended, is stored whole, and nobody watches.
    fn can_let_go(&self, recorder: &Recorder) -> bool {
        let stored = *recorder.durable().borrow() >= self.hub.tail().taken();
        let state = self.hub.look();
        state.status.state == SessionState::Exited && stored && state.is_unwatched()
    }

    /// The host has nothing more: who still watches, or comes, sees what was stored.
    async fn show_record(self) {
        let session = self.hub.session();
        if self.hub.close_if_idle() {
            return;
        }
        match stored::load(&self.app, session).await {
            Ok((bytes, cols, rows)) => {
                let seq = self.hub.tail().taken();
                self.hub.tail().finish(self.app.clock.now());
                let resize = self.hub.look().size().n;
                let (scope, stored) = (Scope::Replay, true);
                self.hub.on_snapshot(Whole { seq, cols, rows, scope, resize, stored, bytes });
            }
            Err(error) => {
                tracing::warn!(%session, %error, "no record to show");
                self.hub.change(|state| state.set_end(super::hub::End::Lost));
            }
        }
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").field("session", &self.hub.session()).finish_non_exhaustive()
    }
}

/// Waits until somebody wants a screen and `at` has come. Dropped and called again, it has
/// forgotten nothing: what is wanted is a state.
async fn wants(wanted: &mut watch::Receiver<Option<Scope>>, at: tokio::time::Instant) {
    if wanted.wait_for(Option::is_some).await.is_err() {
        std::future::pending().await
    }
    tokio::time::sleep_until(at).await;
}

/// Waits for news; for ever once there can be none.
async fn changed<T>(news: &mut watch::Receiver<T>) {
    if news.changed().await.is_err() {
        std::future::pending().await
    }
}

/// The tail a hub begins with: as much of the output as it may keep.
pub(super) fn begin(facts: &SessionFacts) -> Seq {
    facts.end.back(limits::TAIL_BYTES).max(facts.ring_from)
}
