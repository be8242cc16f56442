//! Sign-ins: one-time tokens of the printed address, and what cookies stand for.

use sqlx::FromRow;
use uuid::Uuid;
use wire::{CallerId, SigninId};

use super::Connection;
use crate::error::StoreError;
use crate::rows::{NewSignin, Person, Signin, TokenHash};

#[derive(FromRow)]
struct SigninRow {
    id: Uuid,
    person: Uuid,
    name: String,
    owner: i16,
    created_ms: i64,
    seen_ms: i64,
}

impl From<SigninRow> for Signin {
    fn from(row: SigninRow) -> Self {
        Self {
            id: SigninId(row.id),
            person: Person { id: CallerId(row.person), name: row.name, owner: row.owner == 1 },
            created_ms: row.created_ms,
            seen_ms: row.seen_ms,
        }
    }
}

/// Remembers a one-time token and forgets the expired ones.
pub(crate) async fn issue_token(
    db: &mut Connection,
    hash: TokenHash,
    person: CallerId,
    now_ms: i64,
    expires_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM signin_token WHERE expires_ms <= $1")
        .bind(now_ms)
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "INSERT INTO signin_token (hash, person, created_ms, expires_ms) VALUES ($1, $2, $3, $4)",
    )
    .bind(hash.as_slice())
    .bind(person.0)
    .bind(now_ms)
    .bind(expires_ms)
    .execute(db)
    .await?;
    Ok(())
}

/// Takes a one-time token away and begins a sign-in for it. Of any number of tries at once the
/// deletion lets one through.
pub(crate) async fn redeem_token(
    db: &mut Connection,
    token: TokenHash,
    new: NewSignin,
) -> Result<Signin, StoreError> {
    let taken: Option<(Uuid, i64)> =
        sqlx::query_as("DELETE FROM signin_token WHERE hash = $1 RETURNING person, expires_ms")
            .bind(token.as_slice())
            .fetch_optional(&mut *db)
            .await?;
    let (person, expires_ms) = taken.ok_or(StoreError::NotFound("sign-in token"))?;
    if expires_ms <= new.now_ms {
        return Err(StoreError::Expired);
    }
    sqlx::query(
        "INSERT INTO signin (id, hash, person, created_ms, seen_ms) VALUES ($1, $2, $3, $4, $4)",
    )
    .bind(new.id.0)
    .bind(new.hash.as_slice())
    .bind(person)
    .bind(new.now_ms)
    .execute(&mut *db)
    .await?;
    lookup(db, new.hash).await?.ok_or(StoreError::NotFound("sign-in"))
}

/// The sign-in that a cookie's token stands for, unless it was revoked.
pub(crate) async fn lookup(
    db: &mut Connection,
    hash: TokenHash,
) -> Result<Option<Signin>, StoreError> {
    let row: Option<SigninRow> = sqlx::query_as(
        "SELECT signin.id, signin.person, person.name, person.owner, signin.created_ms,
                signin.seen_ms
         FROM signin JOIN person ON person.id = signin.person
         WHERE signin.hash = $1 AND signin.revoked_ms IS NULL",
    )
    .bind(hash.as_slice())
    .fetch_optional(db)
    .await?;
    Ok(row.map(Signin::from))
}

/// Every sign-in of a person that was not revoked, latest first.
pub(crate) async fn list(db: &mut Connection, person: CallerId) -> Result<Vec<Signin>, StoreError> {
    let rows: Vec<SigninRow> = sqlx::query_as(
        "SELECT signin.id, signin.person, person.name, person.owner, signin.created_ms,
                signin.seen_ms
         FROM signin JOIN person ON person.id = signin.person
         WHERE signin.person = $1 AND signin.revoked_ms IS NULL
         ORDER BY signin.created_ms DESC",
    )
    .bind(person.0)
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Signin::from).collect())
}

/// Notes that a sign-in was used.
pub(crate) async fn touch(
    db: &mut Connection,
    id: SigninId,
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE signin SET seen_ms = $2 WHERE id = $1 AND seen_ms < $2")
        .bind(id.0)
        .bind(now_ms)
        .execute(db)
        .await?;
    Ok(())
}

/// Ends a sign-in. Again: nothing changes.
pub(crate) async fn revoke(
    db: &mut Connection,
    id: SigninId,
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE signin SET revoked_ms = $2 WHERE id = $1 AND revoked_ms IS NULL")
        .bind(id.0)
        .bind(now_ms)
        .execute(db)
        .await?;
    Ok(())
}
