//! Folders in which panes may start.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use wire::FolderId;
use wire::http::{Folder, FolderList, NewFolder};

use super::answer::{Body, Id};
use crate::error::ApiError;
use crate::sessions::check;
use crate::state::App;

/// `GET /api/folders`.
pub(crate) async fn list(State(app): State<App>) -> Result<Json<FolderList>, ApiError> {
    Ok(Json(FolderList { items: app.store.folders().await? }))
}

/// `POST /api/folders`: the host says whether it is one and what it is really called.
pub(crate) async fn add(
    State(app): State<App>,
    Body(new): Body<NewFolder>,
) -> Result<(StatusCode, Json<Folder>), ApiError> {
    let path = check::canonical(&app, &new.path).await?;
    let folder = Folder { id: FolderId::from_random(app.rng.bytes()), path };
    let folder = app.store.add_folder(folder, app.clock.wall_ms()).await?;
    Ok((StatusCode::CREATED, Json(folder)))
}

/// `DELETE /api/folders/{id}`: sessions that run there go on.
pub(crate) async fn remove(
    State(app): State<App>,
    Id(id): Id<FolderId>,
) -> Result<StatusCode, ApiError> {
    app.store.remove_folder(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
