//! Rooms: a person's arrangement of panes.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use wire::RoomId;
use wire::event::Event;
use wire::http::{NewRoom, PatchRoom, Room, RoomDetail, RoomList};

use super::answer::{Body, Id};
use crate::error::ApiError;
use crate::sessions::{self, check, view};
use crate::state::App;

/// `GET /api/rooms`.
pub(crate) async fn list(State(app): State<App>) -> Result<Json<RoomList>, ApiError> {
    Ok(Json(RoomList { items: app.store.rooms().await? }))
}

/// `POST /api/rooms`.
pub(crate) async fn create(
    State(app): State<App>,
    Body(new): Body<NewRoom>,
) -> Result<(StatusCode, Json<Room>), ApiError> {
    let name = check::name(&new.name)?;
    let folder = check::folder(&app, new.folder.as_deref()).await?;
    let room = app
        .store
        .create_room(&store::NewRoom {
            id: RoomId::from_random(app.rng.bytes()),
            name,
            folder,
            max_rooms: app.config.max_rooms,
            now_ms: app.clock.wall_ms(),
        })
        .await?;
    app.events.publish(Event::Room { room: room.clone() });
    Ok((StatusCode::CREATED, Json(room)))
}

/// `GET /api/rooms/{id}`.
pub(crate) async fn get(
    State(app): State<App>,
    Id(id): Id<RoomId>,
) -> Result<Json<RoomDetail>, ApiError> {
    let room = app.store.room(id).await?;
    let panes = app.store.panes(id).await?;
    let panes = panes.into_iter().map(|pane| view::pane(&app, pane)).collect();
    Ok(Json(RoomDetail { room, panes }))
}

/// `PATCH /api/rooms/{id}`.
pub(crate) async fn patch(
    State(app): State<App>,
    Id(id): Id<RoomId>,
    Body(patch): Body<PatchRoom>,
) -> Result<Json<Room>, ApiError> {
    let patch = store::RoomPatch {
        name: patch.name.as_deref().map(check::name).transpose()?,
        folder: match patch.folder {
            Some(folder) => Some(check::folder(&app, Some(&folder)).await?),
            None => None,
        },
        layout: check::layout(patch.layout, patch.version)?,
        slot: patch.slot.map(check::slot).transpose()?,
    };
    let moved = patch.slot.is_some();
    let room = app.store.patch_room(id, patch).await?;
    if moved {
        // The others made way.
        for room in app.store.rooms().await? {
            app.events.publish(Event::Room { room });
        }
    } else {
        app.events.publish(Event::Room { room: room.clone() });
    }
    Ok(Json(room))
}

/// `DELETE /api/rooms/{id}`: its panes' sessions end.
pub(crate) async fn delete(
    State(app): State<App>,
    Id(id): Id<RoomId>,
) -> Result<StatusCode, ApiError> {
    sessions::delete_room(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
