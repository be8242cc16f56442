//! Panes and the sessions in them: making, starting, ending, and what is noted of them.
//!
//! Whatever touches both the store and the host runs to its end even when its caller goes away, so
//! that a closed tab never leaves half a pane. The session's row is written before the host hears
//! of it: no program ever runs unknown.

pub mod check;
pub mod notes;
pub mod resume;
mod run;
pub mod view;

use wire::browser::SessionState;
use wire::event::Event;
use wire::http::{NewPane, Pane, StartPane};
use wire::{ErrorCode, PaneId, RoomId};

use self::run::Launch;
use crate::error::ApiError;
use crate::state::App;

/// Makes a pane and starts its session. A session that cannot be started leaves no pane.
///
/// # Errors
///
/// `full` without a free slot; what [`check`] refuses; what the host answers.
pub async fn create(app: &App, room: RoomId, new: NewPane) -> Result<Pane, ApiError> {
    let program = check::program(&new)?;
    let size = check::size(new.cols, new.rows)?;
    let name = check::name(new.name.as_deref().unwrap_or(&program.name))?;
    app.hosts.client()?;
    let room = app.store.room(room).await?;
    let cwd = check::folder(app, Some(new.cwd.as_deref().unwrap_or(&room.folder))).await?;
    let make = store::NewPane {
        id: PaneId::from_random(app.rng.bytes()),
        room: room.id,
        name,
        profile: program.profile,
        command: program.command,
        args: new.args,
        cwd,
        now_ms: app.clock.wall_ms(),
    };
    whole(app, async move |app| {
        let pane = app.store.create_pane(&make).await?;
        let id = pane.id;
        match run::launch(&app, Launch { pane, size, resume: false }).await {
            Ok(()) => view::fresh(&app, id).await,
            Err(error) => {
                if run::never_started(&error) {
                    app.store.delete_pane(id).await?;
                }
                Err(error)
            }
        }
    })
    .await
}

/// Starts a session in a pane that runs none.
///
/// # Errors
///
/// `conflict` when one runs; what the host answers.
pub async fn start(app: &App, id: PaneId, how: StartPane) -> Result<Pane, ApiError> {
    again(app, id, how, false).await
}

/// Ends what a pane runs, if anything, and starts a new session in its place.
///
/// # Errors
///
/// What the host answers.
pub async fn restart(app: &App, id: PaneId, how: StartPane) -> Result<Pane, ApiError> {
    again(app, id, how, true).await
}

async fn again(app: &App, id: PaneId, how: StartPane, end: bool) -> Result<Pane, ApiError> {
    app.hosts.client()?;
    let pane = app.store.pane(id).await?;
    let before = pane.session.as_ref().map(|session| (session.cols, session.rows)).unzip();
    let size = check::size(how.cols.or(before.0), how.rows.or(before.1))?;
    if !end && pane.session.as_ref().is_some_and(|session| lives(session.state)) {
        return Err(ApiError::new(ErrorCode::Conflict, "This pane runs a session already."));
    }
    whole(app, async move |app| {
        if let Some(session) = pane.session.as_ref().filter(|session| lives(session.state)) {
            run::end(&app, session).await?;
        }
        let resume = how.resume == Some(true);
        run::launch(&app, Launch { pane, size, resume }).await?;
        view::fresh(&app, id).await
    })
    .await
}

/// Ends what a pane runs. The pane stays.
///
/// # Errors
///
/// `host_down` when the host cannot be asked to.
pub async fn stop(app: &App, id: PaneId) -> Result<Pane, ApiError> {
    let pane = app.store.pane(id).await?;
    whole(app, async move |app| {
        if let Some(session) = pane.session.as_ref().filter(|session| lives(session.state)) {
            run::end(&app, session).await?;
        }
        view::fresh(&app, id).await
    })
    .await
}

/// Ends what a pane runs and removes the pane. Its record stays.
///
/// # Errors
///
/// `host_down` when a session lives and cannot be ended: the pane then stays.
pub async fn delete(app: &App, id: PaneId) -> Result<(), ApiError> {
    let pane = app.store.pane(id).await?;
    whole(app, async move |app| remove(&app, pane).await).await
}

/// Ends what a room's panes run and removes them all. Their record stays.
///
/// # Errors
///
/// As [`delete`]; panes whose sessions ended are then gone, the room and the others stay.
pub async fn delete_room(app: &App, id: RoomId) -> Result<(), ApiError> {
    app.store.room(id).await?;
    let panes = app.store.panes(id).await?;
    whole(app, async move |app| {
        let removals = panes.into_iter().map(|pane| remove(&app, pane));
        for removed in futures_util::future::join_all(removals).await {
            removed?;
        }
        app.store.delete_room(id).await?;
        app.events.publish(Event::RoomGone { id });
        Ok(())
    })
    .await
}

async fn remove(app: &App, pane: store::Pane) -> Result<(), ApiError> {
    if let Some(session) = pane.session.as_ref().filter(|session| lives(session.state)) {
        run::end(app, session).await?;
    }
    match app.store.delete_pane(pane.id).await {
        // Somebody else removed it meanwhile.
        Ok(()) | Err(store::StoreError::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    app.events.publish(Event::PaneGone { id: pane.id, room: pane.room });
    Ok(())
}

/// Whether a session has, or may have, a program that runs.
fn lives(state: SessionState) -> bool {
    matches!(state, SessionState::Starting | SessionState::Running)
}

/// Runs something to its end, whether or not its caller waits.
async fn whole<T, F>(app: &App, act: impl FnOnce(App) -> F) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, ApiError>> + Send + 'static,
{
    app.shutdown.track(act(app.clone())).await.map_err(ApiError::internal)?
}
