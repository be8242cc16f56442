//! The store on PostgreSQL.
//!
//! Two pools: the record has connections of its own, so a flood of output never keeps a sign-in
//! waiting. A server that stops answering (a stopped process, a dead network) never says so, so
//! every call has a limit on this side too, and the connection it was made on is closed.

mod append;
#[path = "../sql/mod.rs"]
pub(crate) mod sql;

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, PgPool};
use tokio::time::timeout;

use crate::error::StoreError;
use crate::{BoxFuture, MIGRATIONS_POSTGRES};

/// What the shared SQL runs on.
pub(crate) type Connection = sqlx::PgConnection;

/// Connections for everything but the record.
const POOL: u32 = 8;

/// Connections for the record: one that writes, one to try a failed session alone meanwhile.
const RECORD_POOL: u32 = 2;

/// How long a caller waits for a connection: then the page hears that the store is down.
const ACQUIRE: Duration = Duration::from_secs(2);

/// How long the server may take for one statement.
const STATEMENT: &str = "5s";

/// How long one call may take as seen from here: the statement's limit and a little.
const CALL: Duration = Duration::from_secs(6);

/// How long migrations may take: they may have to wait for another core's.
const MIGRATE: Duration = Duration::from_secs(120);

/// The store on PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct Postgres {
    pool: PgPool,
    record: PgPool,
}

impl Postgres {
    /// Connects and brings the database up to date.
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("glasshouse");
        timeout(MIGRATE, migrate(&options)).await.map_err(|_| no_answer())??;
        let options = options.options([
            ("statement_timeout", STATEMENT),
            ("lock_timeout", STATEMENT),
            ("idle_in_transaction_session_timeout", "10s"),
        ]);
        let pool = |size| {
            PgPoolOptions::new()
                .max_connections(size)
                .acquire_timeout(ACQUIRE)
                .connect_lazy_with(options.clone())
        };
        Ok(Self { pool: pool(POOL), record: pool(RECORD_POOL) })
    }

    /// Runs `work` on a connection, outside a transaction.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send,
    {
        let mut connection = self.pool.acquire().await?;
        if let Ok(result) = timeout(CALL, work(&mut connection)).await {
            return result;
        }
        connection.close_on_drop();
        Err(no_answer())
    }

    /// Runs `work` in a transaction, which its error rolls back.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send,
    {
        transact(&self.pool, work).await
    }

    /// Closes every connection.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.record.close().await;
    }
}

async fn transact<T, F>(pool: &PgPool, work: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send,
{
    let mut connection = pool.acquire().await?;
    let done = timeout(CALL, async {
        let mut transaction = connection.begin().await?;
        let value = work(&mut transaction).await?;
        transaction.commit().await?;
        Ok(value)
    });
    if let Ok(result) = done.await {
        return result;
    }
    connection.close_on_drop();
    Err(no_answer())
}

/// Runs what is missing, on a connection without the pool's limits. The migrator takes an
/// advisory lock, so of several cores that start at once one does it and the others wait.
async fn migrate(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = options.connect().await?;
    let mut migrator = MIGRATIONS_POSTGRES;
    migrator.set_ignore_missing(true).run_direct(None, &mut connection, false).await?;
    connection.close().await?;
    Ok(())
}

/// Keeps others from placing rooms while one is moved.
async fn lock_rooms(db: &mut Connection) -> Result<(), StoreError> {
    sqlx::query("LOCK TABLE room IN SHARE ROW EXCLUSIVE MODE").execute(db).await?;
    Ok(())
}

fn no_answer() -> StoreError {
    StoreError::Down("no answer in time".to_owned())
}
