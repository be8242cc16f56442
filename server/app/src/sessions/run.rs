//! Starting a session on the host and ending it there.

use wire::browser::SessionState;
use wire::host::{Reply, Request, SessionFacts, Spawn};
use wire::{ErrorCode, SessionId};

use super::view;
use crate::error::ApiError;
use crate::hosts::{Up, unexpected};
use crate::state::App;

/// A session to start.
#[derive(Debug)]
pub(super) struct Launch {
    /// The pane, as it was read; the session it shows is the one that is replaced.
    pub(super) pane: store::Pane,
    /// Columns and rows.
    pub(super) size: (u16, u16),
    /// Continue the CLI's own last conversation.
    pub(super) resume: bool,
}

/// Writes the session down, starts it, and follows it.
///
/// # Errors
///
/// What the host answers: then nothing is left of it. `stale` when somebody else was faster.
/// When the host does not answer, its row stays: adoption finds out what became of it.
pub(super) async fn launch(app: &App, launch: Launch) -> Result<(), ApiError> {
    let up = app.hosts.up().ok_or_else(host_went)?;
    let Launch { pane, size: (cols, rows), resume } = launch;
    let id = SessionId::from_random(app.rng.bytes());
    let before = pane.session.as_ref().map(|session| session.id);
    app.store
        .insert_session(store::NewSession {
            id,
            pane: pane.id,
            after: before,
            host: up.hello.host,
            state: SessionState::Starting,
            cols,
            rows,
            now_ms: app.clock.wall_ms(),
        })
        .await?;
    let spawn = Spawn {
        session: id,
        profile: pane.profile,
        command: pane.command,
        args: pane.args,
        cwd: pane.cwd,
        cols,
        rows,
        cell: None,
        theme: None,
        resume,
        record: true,
        after: before,
        env: Vec::new(),
    };
    match spawned(&up, spawn).await {
        Ok(facts) => {
            // It runs, whatever the store says now; if it says nothing, adoption notes it later.
            if let Err(error) = app.store.set_running(id).await {
                tracing::warn!(session = %id, %error, "a session runs that is noted as starting");
            }
            app.hubs.follow(app, &facts, pane.id);
            if let Some(before) = before {
                app.hubs.replaced(before, id);
            }
            view::publish(app, pane.id).await;
            Ok(())
        }
        Err(error) => {
            if never_started(&error) {
                app.store.forget_session(id, before).await?;
            }
            Err(error)
        }
    }
}

async fn spawned(up: &Up, spawn: Spawn) -> Result<SessionFacts, ApiError> {
    let Reply::Session(facts) = up.client.request(Request::Spawn(Box::new(spawn))).await? else {
        return Err(unexpected("spawn"));
    };
    Ok(*facts)
}

/// Whether an error says for certain that no program was started.
pub(super) fn never_started(error: &ApiError) -> bool {
    !matches!(error.code(), ErrorCode::Timeout | ErrorCode::HostDown | ErrorCode::StoreDown)
}

fn host_went() -> ApiError {
    ApiError::new(ErrorCode::HostDown, "The pane host went away just now.")
}

/// Ends a session and waits until no process of it is left.
///
/// # Errors
///
/// `host_down`, `timeout`: it may live on.
pub(super) async fn end(app: &App, session: &store::Session) -> Result<(), ApiError> {
    let client = app.hosts.client()?;
    let now_ms = app.clock.wall_ms();
    match client.request(Request::Terminate { session: session.id }).await {
        Ok(Reply::Terminated { left_over }) => {
            if !left_over.is_empty() {
                tracing::warn!(session = %session.id, ?left_over, "processes we may not end");
            }
        }
        Ok(_) => return Err(unexpected("terminate")),
        Err(link::CallError::Refused(error)) if error.code == ErrorCode::NotFound => {
            if app.store.set_lost(session.id, now_ms).await? {
                app.hubs.lost(session.id);
            }
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    }
    // The hub will say so too; whoever asked is answered with how it ended.
    if let Ok(Reply::Session(facts)) =
        client.request(Request::Inspect { session: session.id }).await
        && let Some(exit) = facts.exit
    {
        app.store.set_exited(session.id, exit, now_ms).await?;
    }
    view::publish(app, session.pane).await;
    Ok(())
}
