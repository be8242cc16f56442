//! Which sessions have a hub, and how a viewer comes to the one of its pane.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use link::CallError;
use wire::browser::{Recording, Scope, SessionState};
use wire::host::{Reply, Request, SessionFacts};
use wire::{ErrorCode, PaneId, Seq, SessionId};

use super::hub::{End, Hub, Size, Status};
use super::snapshot::Whole;
use super::stored;
use super::task::{self, Task};
use crate::error::ApiError;
use crate::state::App;

/// How long a viewer waits for its session's hub to reach the host. A hub that has just been made
/// needs a millisecond; one that cannot reach it shows what it has.
const ATTACHED_WITHIN: Duration = Duration::from_secs(2);

/// The sessions' hubs.
#[derive(Debug, Default)]
pub struct Hubs(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Each lives while it is followed or watched.
    hubs: BTreeMap<SessionId, Weak<Hub>>,
    /// What a pane was last seen to run, for when the store cannot be asked.
    panes: BTreeMap<PaneId, SessionId>,
}

impl Hubs {
    /// Follows a session that the host has. One that is followed already goes on.
    pub fn follow(&self, app: &App, facts: &SessionFacts, pane: PaneId) -> Arc<Hub> {
        let mut inner = self.lock();
        match inner.get(facts.session) {
            Some(hub) if hub.is_followed() => return hub,
            // The host was away when somebody came to see it: now there is more to see.
            Some(stored) => stored.change(|state| state.set_end(End::Replaced(facts.session))),
            None => {}
        }
        let (exit, recording) = (facts.exit, Recording::On);
        let state = if exit.is_some() { SessionState::Exited } else { SessionState::Running };
        let size = Size {
            n: 1,
            seq: facts.resized_at,
            cols: facts.cols,
            rows: facts.rows,
            by: String::new(),
        };
        let status = Status { state, exit, recording };
        let hub = Hub::new(facts.session, pane, task::begin(facts), size, status).followed();
        let hub = Arc::new(hub);
        inner.add(&hub);
        app.shutdown.track(Task::new(app, Arc::clone(&hub), facts).run());
        hub
    }

    /// Another session has taken the place of one.
    pub fn replaced(&self, before: SessionId, now: SessionId) {
        let mut inner = self.lock();
        for session in inner.panes.values_mut().filter(|session| **session == before) {
            *session = now;
        }
        if let Some(hub) = inner.get(before) {
            hub.change(|state| state.set_end(End::Replaced(now)));
        }
    }

    /// A session is gone with its host.
    pub fn lost(&self, session: SessionId) {
        if let Some(hub) = self.lock().get(session) {
            hub.change(|state| {
                state.status.state = SessionState::Lost;
                state.set_end(End::Lost);
            });
        }
    }

    /// The hub of what a pane shows.
    ///
    /// # Errors
    ///
    /// `not_found` for a pane that is gone or has shown nothing yet; `host_down` and `store_down`
    /// when what is needed to show it is away.
    pub async fn open(&self, app: &App, pane: PaneId) -> Result<Arc<Hub>, ApiError> {
        let session = match app.store.pane(pane).await {
            Ok(known) => known.session.map(|session| session.id),
            Err(store::StoreError::Down(why)) => {
                let seen = self.lock().panes.get(&pane).copied();
                Some(seen.ok_or(store::StoreError::Down(why))?)
            }
            Err(error) => return Err(error.into()),
        };
        let session = session.ok_or_else(|| ApiError::not_found("session in this pane"))?;
        let hub = self.open_session(app, pane, session).await?;
        if app.hosts.up().is_some() {
            hub.attached(ATTACHED_WITHIN).await;
        }
        self.lock().panes.insert(pane, session);
        Ok(hub)
    }

    /// The hub of a session.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub async fn open_session(
        &self,
        app: &App,
        pane: PaneId,
        session: SessionId,
    ) -> Result<Arc<Hub>, ApiError> {
        if let Some(hub) = self.lock().get(session) {
            return Ok(hub);
        }
        match app.hosts.client() {
            Ok(client) => match client.request(Request::Inspect { session }).await {
                Ok(Reply::Session(facts)) => Ok(self.follow(app, &facts, pane)),
                Ok(_) => Err(crate::hosts::unexpected("inspect")),
                Err(CallError::Refused(error)) if error.code == ErrorCode::NotFound => {
                    self.of_record(app, session).await
                }
                Err(error) => Err(error.into()),
            },
            Err(down) => match app.store.session(session).await?.state {
                SessionState::Starting | SessionState::Running => Err(down),
                SessionState::Exited | SessionState::Lost => self.of_record(app, session).await,
            },
        }
    }

    /// A hub of a session that only the store knows.
    async fn of_record(&self, app: &App, session: SessionId) -> Result<Arc<Hub>, ApiError> {
        let known = app.store.session(session).await?;
        if known.state == SessionState::Starting {
            let message = "The session is just being started.";
            return Err(ApiError::new(ErrorCode::Busy, message));
        }
        let (bytes, cols, rows) = stored::load(app, session).await?;
        let (seq, n) = (known.durable, 1);
        // Its last size stands before all that is shown: nothing follows it.
        let size = Size { n, seq: Seq::ZERO, cols, rows, by: String::new() };
        let recording = if known.has_gap { Recording::Gap } else { Recording::On };
        let status = Status { state: known.state, exit: known.exit, recording };
        let hub = Arc::new(Hub::new(session, known.pane, seq, size, status));
        let (scope, stored) = (Scope::Replay, true);
        hub.on_snapshot(Whole { seq, cols, rows, scope, resize: n, stored, bytes });
        let mut inner = self.lock();
        let hub = inner.get(session).unwrap_or(hub);
        inner.add(&hub);
        Ok(hub)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The hub of a session, if it goes on.
    fn get(&self, session: SessionId) -> Option<Arc<Hub>> {
        let hub = self.hubs.get(&session)?.upgrade()?;
        let goes_on = {
            let state = hub.look();
            !state.is_closed() && state.end().is_none()
        };
        goes_on.then_some(hub)
    }

    fn add(&mut self, hub: &Arc<Hub>) {
        self.hubs.retain(|_, hub| hub.strong_count() > 0);
        self.hubs.insert(hub.session(), Arc::downgrade(hub));
    }
}
