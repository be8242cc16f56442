//! Rooms: a row of at most 16.

use sqlx::FromRow;
use uuid::Uuid;
use wire::RoomId;
use wire::http::Room;

use super::{Connection, from_json, lock_rooms, to_json};
use crate::error::{Minds, StoreError, minds};
use crate::rows::{NewRoom, RoomPatch};

#[derive(FromRow)]
struct RoomRow {
    id: Uuid,
    slot: i16,
    name: String,
    folder: String,
    layout: Option<String>,
    version: i32,
}

impl TryFrom<RoomRow> for Room {
    type Error = StoreError;

    fn try_from(row: RoomRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: RoomId(row.id),
            slot: row.slot,
            name: row.name,
            folder: row.folder,
            layout: row.layout.as_deref().map(from_json).transpose()?,
            version: row.version,
        })
    }
}

/// Every room, by slot.
pub(crate) async fn list(db: &mut Connection) -> Result<Vec<Room>, StoreError> {
    let rows: Vec<RoomRow> =
        sqlx::query_as("SELECT id, slot, name, folder, layout, version FROM room ORDER BY slot")
            .fetch_all(db)
            .await?;
    rows.into_iter().map(Room::try_from).collect()
}

/// One room.
pub(crate) async fn get(db: &mut Connection, id: RoomId) -> Result<Room, StoreError> {
    let row: Option<RoomRow> =
        sqlx::query_as("SELECT id, slot, name, folder, layout, version FROM room WHERE id = $1")
            .bind(id.0)
            .fetch_optional(db)
            .await?;
    row.ok_or(StoreError::NotFound("room"))?.try_into()
}

/// Makes a room in the first free slot. `Busy`: another one took that slot meanwhile, try again.
pub(crate) async fn create(db: &mut Connection, new: &NewRoom) -> Result<Room, StoreError> {
    let slot: Result<Option<i16>, sqlx::Error> = sqlx::query_scalar(
        "WITH slots (n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11),
                                   (12), (13), (14), (15))
         INSERT INTO room (id, slot, name, folder, created_ms)
         SELECT $1, n, $2, $3, $4 FROM slots
         WHERE n < $5 AND NOT EXISTS (SELECT 1 FROM room WHERE room.slot = n)
         ORDER BY n LIMIT 1
         RETURNING slot",
    )
    .bind(new.id.0)
    .bind(&new.name)
    .bind(&new.folder)
    .bind(new.now_ms)
    .bind(i32::from(new.max_rooms))
    .fetch_optional(db)
    .await;
    match slot {
        Ok(Some(slot)) => Ok(Room {
            id: new.id,
            slot,
            name: new.name.clone(),
            folder: new.folder.clone(),
            layout: None,
            version: 0,
        }),
        Ok(None) => Err(StoreError::Full),
        Err(error) if minds(&error) == Minds::Unique => Err(StoreError::Busy),
        Err(error) => Err(error.into()),
    }
}

/// Changes a room.
pub(crate) async fn patch(
    db: &mut Connection,
    id: RoomId,
    patch: &RoomPatch,
) -> Result<Room, StoreError> {
    if patch.slot.is_some() {
        // First of all: a lock that is taken after a row's own can meet another one's, crosswise.
        lock_rooms(db).await?;
    }
    let known = sqlx::query(
        "UPDATE room SET name = COALESCE($2, name), folder = COALESCE($3, folder) WHERE id = $1",
    )
    .bind(id.0)
    .bind(patch.name.as_deref())
    .bind(patch.folder.as_deref())
    .execute(&mut *db)
    .await?;
    if known.rows_affected() == 0 {
        return Err(StoreError::NotFound("room"));
    }
    if let Some((layout, version)) = &patch.layout {
        let done = sqlx::query(
            "UPDATE room SET layout = $2, version = version + 1 WHERE id = $1 AND version = $3",
        )
        .bind(id.0)
        .bind(to_json(layout)?)
        .bind(*version)
        .execute(&mut *db)
        .await?;
        if done.rows_affected() == 0 {
            return Err(StoreError::Stale);
        }
    }
    if let Some(slot) = patch.slot {
        reorder(db, id, slot).await?;
    }
    get(db, id).await
}

/// Moves a room to `to`; those between its old and its new place move by one towards the old.
async fn reorder(db: &mut Connection, id: RoomId, to: i16) -> Result<(), StoreError> {
    if !(0..16).contains(&to) {
        return Err(StoreError::Broken(format!("{to} is no slot")));
    }
    let from: i16 = sqlx::query_scalar("SELECT slot FROM room WHERE id = $1")
        .bind(id.0)
        .fetch_one(&mut *db)
        .await?;
    put(db, id.0, None).await?;
    // The slots between, nearest to the free one first: each step moves into a free slot.
    let between: Vec<i16> =
        if from <= to { (from + 1..=to).collect() } else { (to..from).rev().collect() };
    for slot in between {
        let there: Option<Uuid> = sqlx::query_scalar("SELECT id FROM room WHERE slot = $1")
            .bind(slot)
            .fetch_optional(&mut *db)
            .await?;
        if let Some(there) = there {
            put(db, there, Some(if from <= to { slot - 1 } else { slot + 1 })).await?;
        }
    }
    put(db, id.0, Some(to)).await
}

async fn put(db: &mut Connection, room: Uuid, slot: Option<i16>) -> Result<(), StoreError> {
    sqlx::query("UPDATE room SET slot = $2 WHERE id = $1")
        .bind(room)
        .bind(slot)
        .execute(db)
        .await?;
    Ok(())
}

/// Deletes a room with its panes. Their sessions are ended before, by the caller.
pub(crate) async fn delete(db: &mut Connection, id: RoomId) -> Result<(), StoreError> {
    let done = sqlx::query("DELETE FROM room WHERE id = $1").bind(id.0).execute(db).await?;
    if done.rows_affected() == 0 { Err(StoreError::NotFound("room")) } else { Ok(()) }
}
