//! Panes: at most 16 in a room, held by `UNIQUE (room, slot)` and the slot's range alone.

use sqlx::FromRow;
use uuid::Uuid;
use wire::{PaneId, RoomId, SessionId};

use super::{Connection, from_json, sessions, to_json};
use crate::error::{Minds, StoreError, minds};
use crate::rows::{NewPane, Pane, Session};

#[derive(FromRow)]
struct PaneRow {
    id: Uuid,
    room: Uuid,
    slot: i16,
    name: String,
    profile: String,
    command: Option<String>,
    args: String,
    cwd: String,
    session: Option<Uuid>,
}

impl PaneRow {
    fn with(self, session: Option<Session>) -> Result<Pane, StoreError> {
        Ok(Pane {
            id: PaneId(self.id),
            room: RoomId(self.room),
            slot: self.slot,
            name: self.name,
            profile: self.profile,
            command: self.command,
            args: from_json(&self.args)?,
            cwd: self.cwd,
            session,
        })
    }
}

/// The panes of a room, by slot. A room that does not exist has none.
pub(crate) async fn list(db: &mut Connection, room: RoomId) -> Result<Vec<Pane>, StoreError> {
    let rows: Vec<PaneRow> = sqlx::query_as(
        "SELECT id, room, slot, name, profile, command, args, cwd, session FROM pane
         WHERE room = $1 ORDER BY slot",
    )
    .bind(room.0)
    .fetch_all(&mut *db)
    .await?;
    let mut panes = Vec::with_capacity(rows.len());
    for row in rows {
        let session = shown(db, row.session).await?;
        panes.push(row.with(session)?);
    }
    Ok(panes)
}

/// One pane.
pub(crate) async fn get(db: &mut Connection, id: PaneId) -> Result<Pane, StoreError> {
    let row: Option<PaneRow> = sqlx::query_as(
        "SELECT id, room, slot, name, profile, command, args, cwd, session FROM pane
         WHERE id = $1",
    )
    .bind(id.0)
    .fetch_optional(&mut *db)
    .await?;
    let row = row.ok_or(StoreError::NotFound("pane"))?;
    let session = shown(db, row.session).await?;
    row.with(session)
}

async fn shown(db: &mut Connection, id: Option<Uuid>) -> Result<Option<Session>, StoreError> {
    match id {
        Some(id) => sessions::find(db, SessionId(id)).await,
        None => Ok(None),
    }
}

/// Makes a pane in the first free slot. `Busy`: another one took that slot meanwhile, try again.
pub(crate) async fn create(db: &mut Connection, new: &NewPane) -> Result<Pane, StoreError> {
    let slot: Result<Option<i16>, sqlx::Error> = sqlx::query_scalar(
        "WITH slots (n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11),
                                   (12), (13), (14), (15))
         INSERT INTO pane (id, room, slot, name, profile, command, args, cwd, created_ms)
         SELECT $1, $2, n, $3, $4, $5, $6, $7, $8 FROM slots
         WHERE NOT EXISTS (SELECT 1 FROM pane WHERE pane.room = $2 AND pane.slot = n)
         ORDER BY n LIMIT 1
         RETURNING slot",
    )
    .bind(new.id.0)
    .bind(new.room.0)
    .bind(&new.name)
    .bind(&new.profile)
    .bind(new.command.as_deref())
    .bind(to_json(&new.args)?)
    .bind(&new.cwd)
    .bind(new.now_ms)
    .fetch_optional(&mut *db)
    .await;
    placed(slot)?;
    get(db, new.id).await
}

/// Moves a pane to the first free slot of another room; its session goes on.
pub(crate) async fn move_to(
    db: &mut Connection,
    id: PaneId,
    room: RoomId,
) -> Result<Pane, StoreError> {
    let pane = get(db, id).await?;
    if pane.room == room {
        return Ok(pane);
    }
    let slot: Result<Option<i16>, sqlx::Error> = sqlx::query_scalar(
        "WITH slots (n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11),
                                   (12), (13), (14), (15)),
              free (n) AS (SELECT MIN(n) FROM slots
                           WHERE NOT EXISTS (SELECT 1 FROM pane
                                             WHERE pane.room = $2 AND pane.slot = n))
         UPDATE pane SET room = $2, slot = (SELECT n FROM free)
         WHERE id = $1 AND (SELECT n FROM free) IS NOT NULL
         RETURNING slot",
    )
    .bind(id.0)
    .bind(room.0)
    .fetch_optional(&mut *db)
    .await;
    placed(slot)?;
    get(db, id).await
}

fn placed(slot: Result<Option<i16>, sqlx::Error>) -> Result<(), StoreError> {
    match slot {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(StoreError::Full),
        Err(error) => match minds(&error) {
            Minds::Unique => Err(StoreError::Busy),
            Minds::Missing => Err(StoreError::NotFound("room")),
            Minds::Other => Err(error.into()),
        },
    }
}

/// Gives a pane another name.
pub(crate) async fn rename(
    db: &mut Connection,
    id: PaneId,
    name: &str,
) -> Result<Pane, StoreError> {
    sqlx::query("UPDATE pane SET name = $2 WHERE id = $1")
        .bind(id.0)
        .bind(name)
        .execute(&mut *db)
        .await?;
    get(db, id).await
}

/// Deletes a pane. Its sessions stay in the record; one that runs is ended before, by the caller.
pub(crate) async fn delete(db: &mut Connection, id: PaneId) -> Result<(), StoreError> {
    let done = sqlx::query("DELETE FROM pane WHERE id = $1").bind(id.0).execute(db).await?;
    if done.rows_affected() == 0 { Err(StoreError::NotFound("pane")) } else { Ok(()) }
}
