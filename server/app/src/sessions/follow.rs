//! Handing a session to its hub.

use wire::host::SessionFacts;
use wire::{PaneId, SessionId};

use crate::error::ApiError;
use crate::hosts::Up;
use crate::state::App;

/// Follows a session that the host has. One that is followed already goes on.
///
/// # Errors
///
/// When the host or the store does not answer.
pub async fn follow(
    app: &App,
    up: &Up,
    facts: &SessionFacts,
    pane: PaneId,
) -> Result<(), ApiError> {
    let _ = (app, up, facts, pane);
    Ok(())
}

/// Tells a session's viewers that another one has taken its place.
pub fn replaced(app: &App, before: SessionId, now: SessionId) {
    let _ = (app, before, now);
}

/// Tells a session's viewers that it is gone with its host.
pub fn lost(app: &App, session: SessionId) {
    let _ = (app, session);
}
