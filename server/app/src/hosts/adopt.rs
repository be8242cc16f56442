//! Brings store and host to agree about which sessions there are.
//!
//! The host knows what runs, the store knows where it belongs. Three things can be: both know a
//! session, and it is followed; the host alone does, and it gets a pane in a room "Found"; the
//! store alone thinks it alive, and it is lost. The rule is a pure function; the rest acts on it.

use std::collections::BTreeMap;

use store::StoreError;
use wire::browser::SessionState;
use wire::event::Event;
use wire::host::{Reply, Request, SessionFacts};
use wire::{ErrorCode, HostId, PaneId, RoomId, SessionId};

use super::{Up, unexpected};
use crate::config::ROOMS_MAX;
use crate::error::ApiError;
use crate::sessions::view;
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
    let mut whole = Ok(());
    for verdict in judge(&alive, had, up.hello.host) {
        let done = match verdict {
            Verdict::Follow(facts) => known(app, up, &facts, &alive).await,
            Verdict::Found(facts) => found(app, up, &facts).await,
            Verdict::Lost(session) => lost(app, up, session).await,
        };
        // One that fails does not keep the others waiting.
        whole = whole.and(done);
    }
    whole
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
    // Its pane was removed while it started: nobody could reach it any more.
    if let Err(StoreError::NotFound(_)) = app.store.pane(session.pane).await
        && facts.exit.is_none()
    {
        tracing::warn!(session = %session.id, "ending a session whose pane is gone");
        up.client.request(Request::Terminate { session: session.id }).await?;
    }
    if session.state == SessionState::Starting {
        app.store.set_running(session.id).await?;
        view::publish(app, session.pane).await;
    }
    app.hubs.follow(app, facts, session.pane);
    Ok(())
}

/// A session of the host that the store does not think alive.
async fn found(app: &App, up: &Up, facts: &SessionFacts) -> Result<(), ApiError> {
    match app.store.session(facts.session).await {
        // It has ended, and the host has not forgotten it yet; or it started just now.
        Ok(session) => {
            app.hubs.follow(app, facts, session.pane);
            return Ok(());
        }
        Err(StoreError::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let Some(pane) = found_pane(app, facts).await? else {
        tracing::warn!(session = %facts.session, "no room for a session that was found");
        return Ok(());
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
            now_ms: i64::try_from(facts.started_at_ms).unwrap_or(i64::MAX),
        })
        .await?;
    tracing::info!(session = %facts.session, "found a session that the store did not know");
    view::publish(app, pane.id).await;
    app.hubs.follow(app, facts, pane.id);
    Ok(())
}

/// A pane for a found session, in the first room of the kind that has a place. None: there are as
/// many rooms as there can be.
async fn found_pane(app: &App, facts: &SessionFacts) -> Result<Option<store::Pane>, ApiError> {
    for n in 1..=ROOMS_MAX {
        let name = if n == 1 { FOUND.to_owned() } else { format!("{FOUND} {n}") };
        let Some(room) = found_room(app, name, &facts.cwd).await? else { return Ok(None) };
        let made = app
            .store
            .create_pane(&store::NewPane {
                id: PaneId::from_random(app.rng.bytes()),
                room,
                name: facts.title.clone().unwrap_or_else(|| facts.profile.clone()),
                profile: facts.profile.clone(),
                command: Some(facts.command.clone()),
                args: facts.args.clone(),
                cwd: facts.cwd.clone(),
                now_ms: app.clock.wall_ms(),
            })
            .await;
        match made {
            Ok(pane) => return Ok(Some(pane)),
            Err(StoreError::Full) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// The room of that name, made when there is none. The limit on rooms does not hold for it: a
/// session must not stay out of reach.
async fn found_room(app: &App, name: String, folder: &str) -> Result<Option<RoomId>, ApiError> {
    let rooms = app.store.rooms().await?;
    if let Some(room) = rooms.iter().find(|room| room.name == name) {
        return Ok(Some(room.id));
    }
    let made = app
        .store
        .create_room(&store::NewRoom {
            id: RoomId::from_random(app.rng.bytes()),
            name,
            folder: folder.to_owned(),
            max_rooms: ROOMS_MAX,
            now_ms: app.clock.wall_ms(),
        })
        .await;
    match made {
        Ok(room) => {
            app.events.publish(Event::Room { room: room.clone() });
            Ok(Some(room.id))
        }
        Err(StoreError::Full) => Ok(None),
        Err(error) => Err(error.into()),
    }
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
        app.hubs.lost(session);
        let pane = app.store.session(session).await?.pane;
        view::publish(app, pane).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use wire::Seq;
    use wire::browser::Modes;
    use wire::host::LeaseFacts;

    use super::*;

    fn id(n: u8) -> SessionId {
        SessionId::from_random([n; 16])
    }

    fn host(n: u8) -> HostId {
        HostId::from_random([n; 16])
    }

    #[test]
    fn what_both_know_is_followed_and_the_rest_is_found_or_lost() {
        let alive = [stored(1, 1), stored(2, 1), stored(3, 2)];
        let verdicts = judge(&alive, vec![had(1), had(4)], host(1));
        let follow = Verdict::Follow(Box::new(had(1)));
        assert_eq!(
            verdicts,
            [follow, Verdict::Lost(id(2)), Verdict::Found(Box::new(had(4)))],
            "and a session of another host is nobody's business here"
        );
    }

    fn stored(n: u8, on: u8) -> store::Session {
        store::Session {
            id: id(n),
            pane: PaneId::from_random([n; 16]),
            host: host(on),
            state: SessionState::Running,
            exit: None,
            name: String::new(),
            profile: String::new(),
            command: None,
            args: Vec::new(),
            cwd: String::new(),
            cols: 80,
            rows: 24,
            title: None,
            started_ms: 0,
            ended_ms: None,
            durable: Seq::ZERO,
            mark: 0,
            has_gap: false,
        }
    }

    fn had(n: u8) -> SessionFacts {
        SessionFacts {
            session: id(n),
            profile: String::new(),
            command: String::new(),
            args: Vec::new(),
            cwd: String::new(),
            pid: None,
            exit: None,
            cols: 80,
            rows: 24,
            started_at_ms: 0,
            ring_from: Seq::ZERO,
            end: Seq::ZERO,
            durable: Seq::ZERO,
            mark: 0,
            resized_at: Seq::ZERO,
            title: None,
            lease: LeaseFacts::default(),
            modes: Modes::default(),
        }
    }
}
