//! Sessions: what ran and what runs.

use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::http::Session;
use wire::{ErrorCode, PaneId, SessionId};

use super::answer::Id;
use crate::error::ApiError;
use crate::sessions::view;
use crate::state::App;

/// Which sessions: those of one pane, or those that run.
#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    pane: Option<PaneId>,
}

/// What `GET /api/sessions` answers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionList {
    items: Vec<Session>,
}

/// `GET /api/sessions?pane=`: of a pane, latest first; without one, those that run.
pub(crate) async fn list(
    State(app): State<App>,
    which: Result<Query<Which>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<SessionList>, ApiError> {
    let Query(which) =
        which.map_err(|wrong| ApiError::new(ErrorCode::BadMessage, wrong.body_text()))?;
    let sessions = match which.pane {
        Some(pane) => app.store.sessions_of_pane(pane).await?,
        None => app.store.alive_sessions().await?,
    };
    let items = sessions.into_iter().map(|session| view::session(&app, session)).collect();
    Ok(Json(SessionList { items }))
}

/// `GET /api/sessions/{id}`.
pub(crate) async fn get(
    State(app): State<App>,
    Id(id): Id<SessionId>,
) -> Result<Json<Session>, ApiError> {
    Ok(Json(view::session(&app, app.store.session(id).await?)))
}
