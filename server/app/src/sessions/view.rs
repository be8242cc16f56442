//! Panes and sessions as pages see them: what the store remembers, with what is newer in a note
//! not yet written.

use wire::PaneId;
use wire::browser::Recording;
use wire::event::Event;
use wire::http::{Pane, Session};

use crate::error::ApiError;
use crate::state::App;

/// A pane as pages see it.
pub fn pane(app: &App, pane: store::Pane) -> Pane {
    Pane {
        id: pane.id,
        room: pane.room,
        slot: pane.slot,
        name: pane.name,
        profile: pane.profile,
        command: pane.command,
        args: pane.args,
        cwd: pane.cwd,
        session: pane.session.map(|shown| session(app, shown)),
    }
}

/// A session as pages see it.
pub fn session(app: &App, session: store::Session) -> Session {
    let recorded = if session.has_gap { Recording::Gap } else { Recording::On };
    Session {
        id: session.id,
        pane: session.pane,
        host: session.host,
        state: session.state,
        exit: session.exit,
        cols: session.cols,
        rows: session.rows,
        title: session.title,
        started_at_ms: session.started_ms,
        durable: session.durable,
        recording: app.notes.recording(session.id).unwrap_or(recorded),
    }
}

/// A pane as it is now, told to everybody.
///
/// # Errors
///
/// `not_found` when somebody removed it meanwhile.
pub async fn fresh(app: &App, id: PaneId) -> Result<Pane, ApiError> {
    let pane = pane(app, app.store.pane(id).await?);
    app.events.publish(Event::Pane { pane: pane.clone() });
    Ok(pane)
}

/// Tells everybody how a pane is now. One that is gone was told of by whoever removed it.
pub async fn publish(app: &App, id: PaneId) {
    match fresh(app, id).await {
        Ok(_) => {}
        Err(error) => tracing::debug!(pane = %id, %error, "nothing to tell of a pane"),
    }
}
