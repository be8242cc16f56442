//! What a store is: its UUID and its owner, written by whoever opens it first.

use uuid::Uuid;
use wire::{CallerId, StoreId};

use super::Connection;
use crate::error::StoreError;
use crate::rows::{Fresh, Person};

/// The store's name and owner, made from `fresh` when the store is empty.
pub(crate) async fn identity(
    db: &mut Connection,
    fresh: Fresh,
) -> Result<(StoreId, Person), StoreError> {
    sqlx::query("INSERT INTO meta (key, value) VALUES ('store', $1) ON CONFLICT DO NOTHING")
        .bind(fresh.store.to_string())
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "INSERT INTO person (id, name, owner, created_ms) VALUES ($1, 'owner', 1, $2)
         ON CONFLICT DO NOTHING",
    )
    .bind(fresh.owner.0)
    .bind(fresh.now_ms)
    .execute(&mut *db)
    .await?;
    let store: String = sqlx::query_scalar("SELECT value FROM meta WHERE key = 'store'")
        .fetch_one(&mut *db)
        .await?;
    let (id, name): (Uuid, String) =
        sqlx::query_as("SELECT id, name FROM person WHERE owner = 1").fetch_one(db).await?;
    let store = store.parse().map_err(|_| StoreError::Broken("the store's name".to_owned()))?;
    Ok((store, Person { id: CallerId(id), name, owner: true }))
}

/// Whether the database answers.
pub(crate) async fn ping(db: &mut Connection) -> Result<(), StoreError> {
    let _: String =
        sqlx::query_scalar("SELECT value FROM meta WHERE key = 'store'").fetch_one(db).await?;
    Ok(())
}
