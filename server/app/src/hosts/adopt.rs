//! Brings store and host to agree about which sessions there are.
//!
//! The host knows what runs, the store knows where it belongs. Three things can be: both know a
//! session, and it is followed; the host alone does, and it gets a pane in a room "Found"; the
//! store alone thinks it alive, and it is lost. The rule is a pure function; the rest acts on it.

use std::collections::BTreeMap;

use wire::browser::SessionState;
use wire::event::Event;
use wire::host::{Reply, Request, SessionFacts};
use wire::{ErrorCode, HostId, PaneId, RoomId, SessionId};

use super::{Up, unexpected};
use crate::error::ApiError;
use crate::sessions::{follow, view};
use crate::state::App;

/// Where sessions go whose pane nobody remembers.
const FOUND: &str = "Found";

/// What is to be done about one session.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// Both know it.
    Follow(Box<SessionFacts>),
    /// The host alone does.
    Found(Box<SessionFacts>),
    /// The store alone thinks it alive.
    Lost(SessionId),
}

/// Compares what the store thinks alive on this host with what the host has.
fn judge(alive: &[store::Session], had: Vec<SessionFacts>, host: HostId) -> Vec<Verdict> {
    let mut had: BTreeMap<_, _> = had.into_iter().map(|facts| (facts.session, facts)).collect();
    let mut verdicts = Vec::new();
    for session in alive.iter().filter(|session| session.host == host) {
        verdicts.push(match had.remove(&session.id) {
            Some(facts) => Verdict::Follow(Box::new(facts)),
            None => Verdict::Lost(session.id),
        });
    }
    verdicts.extend(had.into_values().map(|facts| Verdict::Found(Box::new(facts))));
    verdicts
}

/// Asks both and does what follows.
///
/// # Errors
///
/// When either does not answer: to be tried again soon. What was done stays done.
pub(super) async fn adopt(app: &App, up: &Up) -> Result<(), ApiError> {
    // The store first: a session is written there before the host hears of it, so one that starts
    // meanwhile is unknown to neither. One that the host alone knows is asked for again.
    let alive = app.store.alive_sessions().await?;
    let Reply::Sessions(had) = up.client.request(Request::List).await? else {
        return Err(unexpected("list"));
    };
    for verdict in judge(&alive, had, up.hello.host) {
        match verdict {
            Verdict::Follow(facts) => known(app, up, &facts, &alive).await?,
            Verdict::Found(facts) => found(app, up, &facts).await?,
            Verdict::Lost(session) => lost(app, up, session).await?,
        }
    }
    Ok(())
}

async fn known(
    app: &App,
    up: &Up,
    facts: &SessionFacts,
    alive: &[store::Session],
) -> Result<(), ApiError> {
    let Some(session) = alive.iter().find(|session| session.id == facts.session) else {
        return Ok(());
    };
    if session.state == SessionState::Starting {
        app.store.set_running(session.id).await?;
        view::publish(app, session.pane).await;
    }
    follow::follow(app, up, facts, session.pane).await
}

/// A session of the host that the store does not think alive.
async fn found(app: &App, up: &Up, facts: &SessionFacts) -> Result<(), ApiError> {
    match app.store.session(facts.session).await {
        // It has ended, and the host has not forgotten it yet; or it started just now.
        Ok(session) => return follow::follow(app, up, facts, session.pane).await,
        Err(store::StoreError::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let room = found_room(app, &facts.cwd).await?;
    let now_ms = app.clock.wall_ms();
    let pane = app
        .store
        .create_pane(&store::NewPane {
            id: PaneId::from_random(app.rng.bytes()),
            room,
            name: facts.title.clone().unwrap_or_else(|| facts.profile.clone()),
            profile: facts.profile.clone(),
            command: Some(facts.command.clone()),
            args: facts.args.clone(),
            cwd: facts.cwd.clone(),
            now_ms,
        })
        .await;
    let pane = match pane {
        Ok(pane) => pane,
        Err(store::StoreError::Full) => {
            tracing::warn!(session = %facts.session, "no room for a session that was found");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    app.store
        .insert_session(store::NewSession {
            id: facts.session,
            pane: pane.id,
            after: None,
            host: up.hello.host,
            state: SessionState::Running,
            cols: facts.cols,
            rows: facts.rows,
            now_ms: i64::try_from(facts.started_at_ms).unwrap_or(now_ms),
        })
        .await?;
    tracing::info!(session = %facts.session, "found a session that the store did not know");
    view::publish(app, pane.id).await;
    follow::follow(app, up, facts, pane.id).await
}

/// The room for found sessions, made when there is none.
async fn found_room(app: &App, folder: &str) -> Result<RoomId, ApiError> {
    let rooms = app.store.rooms().await?;
    if let Some(room) = rooms.iter().find(|room| room.name == FOUND) {
        return Ok(room.id);
    }
    let room = app
        .store
        .create_room(&store::NewRoom {
            id: RoomId::from_random(app.rng.bytes()),
            name: FOUND.to_owned(),
            folder: folder.to_owned(),
            max_rooms: app.config.max_rooms,
            now_ms: app.clock.wall_ms(),
        })
        .await?;
    app.events.publish(Event::Room { room: room.clone() });
    Ok(room.id)
}

/// A session that the store thinks alive and the host has not listed.
async fn lost(app: &App, up: &Up, session: SessionId) -> Result<(), ApiError> {
    // Asked for by name: it may have started between the two lists.
    match up.client.request(Request::Inspect { session }).await {
        Ok(_) => return Ok(()),
        Err(link::CallError::Refused(error)) if error.code == ErrorCode::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    if app.store.set_lost(session, app.clock.wall_ms()).await? {
        tracing::warn!(%session, "a session is lost with its host");
        follow::lost(app, session);
        let pane = app.store.session(session).await?.pane;
        view::publish(app, pane).await;
    }
    Ok(())
}
