//! Folders in which panes may start.

use uuid::Uuid;
use wire::FolderId;
use wire::http::Folder;

use super::Connection;
use crate::error::StoreError;

/// Every folder, by path.
pub(crate) async fn list(db: &mut Connection) -> Result<Vec<Folder>, StoreError> {
    let rows: Vec<(Uuid, String)> =
        sqlx::query_as("SELECT id, path FROM folder ORDER BY path").fetch_all(db).await?;
    Ok(rows.into_iter().map(|(id, path)| Folder { id: FolderId(id), path }).collect())
}

/// Registers a path; one that is registered keeps its id.
pub(crate) async fn add(
    db: &mut Connection,
    folder: &Folder,
    now_ms: i64,
) -> Result<Folder, StoreError> {
    let (id, path): (Uuid, String) = sqlx::query_as(
        "INSERT INTO folder (id, path, created_ms) VALUES ($1, $2, $3)
         ON CONFLICT (path) DO UPDATE SET path = excluded.path RETURNING id, path",
    )
    .bind(folder.id.0)
    .bind(&folder.path)
    .bind(now_ms)
    .fetch_one(db)
    .await?;
    Ok(Folder { id: FolderId(id), path })
}

/// Forgets a folder. Panes in it run on; new ones do not start there.
pub(crate) async fn remove(db: &mut Connection, id: FolderId) -> Result<(), StoreError> {
    let done = sqlx::query("DELETE FROM folder WHERE id = $1").bind(id.0).execute(db).await?;
    if done.rows_affected() == 0 { Err(StoreError::NotFound("folder")) } else { Ok(()) }
}
