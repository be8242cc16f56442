//! A session that was lost with its host is taken up again when somebody comes back to it: the
//! next viewer that may type and can see the pane starts the CLI with its own resume arguments.
//!
//! Each lost session is tried once, so that a CLI that brings its host down does not do so in a
//! circle; after that a person decides. Two start at a time: a page that comes back shows many
//! panes, and CLIs take a processor each to start.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pane::ticket::{Grant, Opens};
use tokio::sync::Semaphore;
use wire::browser::SessionState;
use wire::host::{Reply, Request};
use wire::http::StartPane;
use wire::{PaneId, SessionId};

use super::start;
use crate::error::ApiError;
use crate::hosts::unexpected;
use crate::state::App;

/// CLIs that start at a time.
const AT_A_TIME: usize = 2;
/// Lost sessions that are remembered as tried; more than all rooms have panes.
const TRIED: usize = 1024;

/// Which lost sessions were taken up again.
#[derive(Debug)]
pub struct Resumes {
    tried: Mutex<VecDeque<SessionId>>,
    places: Semaphore,
}

impl Default for Resumes {
    fn default() -> Self {
        Self { tried: Mutex::default(), places: Semaphore::new(AT_A_TIME) }
    }
}

impl Resumes {
    /// Whether this is the first try.
    fn first(&self, session: SessionId) -> bool {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if tried.contains(&session) {
            return false;
        }
        tried.truncate(TRIED - 1);
        tried.push_front(session);
        true
    }
}

/// A viewer comes with a ticket. It does not wait: its socket is told when the session is
/// replaced.
pub fn on_viewer(app: &App, grant: &Grant, hidden: bool) {
    let Opens::Pane(pane) = grant.opens else { return };
    if grant.read_only || hidden {
        return;
    }
    let held = app.clone();
    app.shutdown.track(async move {
        if let Err(error) = take_up(&held, pane).await {
            tracing::warn!(%pane, %error, "a lost session was not taken up again");
        }
    });
}

async fn take_up(app: &App, id: PaneId) -> Result<(), ApiError> {
    // Without the pane or the store the socket says so itself.
    let Ok(pane) = app.store.pane(id).await else { return Ok(()) };
    let Some(session) = pane.session.filter(|session| session.state == SessionState::Lost) else {
        return Ok(());
    };
    let Ok(client) = app.hosts.client() else { return Ok(()) };
    let Reply::Profiles(profiles) = client.request(Request::Profiles).await? else {
        return Err(unexpected("profiles"));
    };
    let resumes = profiles.iter().any(|known| known.name == pane.profile && known.resumes);
    // A command of one's own is not what the profile would resume.
    if !resumes || pane.command.is_some() || !app.resumes.first(session.id) {
        return Ok(());
    }
    let _place = app.resumes.places.acquire().await.map_err(ApiError::internal)?;
    tracing::info!(session = %session.id, "taking a lost session up again");
    start(app, id, StartPane { resume: Some(true), ..StartPane::default() }).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_session_is_tried_once() {
        let resumes = Resumes::default();
        let session = SessionId::from_random([1; 16]);
        assert!(resumes.first(session));
        assert!(!resumes.first(session));
        assert!(resumes.first(SessionId::from_random([2; 16])));
    }
}
