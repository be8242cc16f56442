//! Panes, and starting and ending what they run.

use axum::extract::{Request, State};
use axum::handler::Handler as _;
use axum::response::Response;
use axum::{Extension, Json};
use http::StatusCode;
use pane::ticket::Grant;
use wire::event::Event;
use wire::http::{NewPane, Pane, PatchPane, StartPane};
use wire::{PaneId, RoomId};

use super::answer::{Body, Id, OptionalBody};
use crate::error::ApiError;
use crate::sessions::{self, check, resume, view};
use crate::state::App;
use crate::terminal::upgrade;

/// `POST /api/rooms/{id}/panes`: makes a pane and starts its session.
pub(crate) async fn create(
    State(app): State<App>,
    Id(room): Id<RoomId>,
    Body(new): Body<NewPane>,
) -> Result<(StatusCode, Json<Pane>), ApiError> {
    let pane = sessions::create(&app, room, new).await?;
    Ok((StatusCode::CREATED, Json(pane)))
}

/// `GET /api/panes/{id}/cli/terminal`: a viewer's socket. Whoever comes back to a lost session
/// has it taken up again.
pub(crate) async fn terminal(
    State(app): State<App>,
    Extension(grant): Extension<Grant>,
    request: Request,
) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let hidden = query.split('&').any(|part| part == "hidden=1");
    resume::on_viewer(&app, &grant, hidden);
    upgrade::terminal.call(request, app).await
}

/// `GET /api/panes/{id}`.
pub(crate) async fn get(
    State(app): State<App>,
    Id(id): Id<PaneId>,
) -> Result<Json<Pane>, ApiError> {
    Ok(Json(view::pane(&app, app.store.pane(id).await?)))
}

/// `PATCH /api/panes/{id}`.
pub(crate) async fn patch(
    State(app): State<App>,
    Id(id): Id<PaneId>,
    Body(patch): Body<PatchPane>,
) -> Result<Json<Pane>, ApiError> {
    let name = patch.name.as_deref().map(check::name).transpose()?;
    let mut pane = app.store.pane(id).await?;
    if let Some(room) = patch.room {
        pane = app.store.move_pane(id, room).await?;
    }
    if let Some(name) = name {
        pane = app.store.rename_pane(id, name).await?;
    }
    let pane = view::pane(&app, pane);
    app.events.publish(Event::Pane { pane: pane.clone() });
    Ok(Json(pane))
}

/// `DELETE /api/panes/{id}`: its session ends, and is verified to have, before the pane goes.
pub(crate) async fn delete(
    State(app): State<App>,
    Id(id): Id<PaneId>,
) -> Result<StatusCode, ApiError> {
    sessions::delete(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/panes/{id}/start`: of a pane that runs nothing.
pub(crate) async fn start(
    State(app): State<App>,
    Id(id): Id<PaneId>,
    OptionalBody(how): OptionalBody<StartPane>,
) -> Result<Json<Pane>, ApiError> {
    sessions::start(&app, id, how).await.map(Json)
}

/// `POST /api/panes/{id}/stop`.
pub(crate) async fn stop(
    State(app): State<App>,
    Id(id): Id<PaneId>,
) -> Result<Json<Pane>, ApiError> {
    sessions::stop(&app, id).await.map(Json)
}

/// `POST /api/panes/{id}/restart`: a new session takes the old one's place.
pub(crate) async fn restart(
    State(app): State<App>,
    Id(id): Id<PaneId>,
    OptionalBody(how): OptionalBody<StartPane>,
) -> Result<Json<Pane>, ApiError> {
    sessions::restart(&app, id, how).await.map(Json)
}
