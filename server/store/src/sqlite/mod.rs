//! The store on SQLite: one file, its write-ahead log, one task that writes.
//!
//! Every write goes through that task, so writers in this process never meet in the database's
//! lock, and each begins with `BEGIN IMMEDIATE`: a transaction that reads and then writes would
//! otherwise fail with "database is locked" when another process wrote in between. Reads have a
//! small pool and are short: a reader that stays keeps the log from being emptied.

mod append;
#[path = "../sql/mod.rs"]
pub(crate) mod sql;
mod task;

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection as _, SqlitePool};
use tokio::time::timeout;

use crate::error::StoreError;
use crate::{BoxFuture, MIGRATIONS_SQLITE};
use task::Task;

/// What the shared SQL runs on.
pub(crate) type Connection = sqlx::SqliteConnection;

/// Connections that read.
const READERS: u32 = 4;

/// How long a statement waits for another process's lock.
const BUSY: Duration = Duration::from_secs(5);

/// How long one call may take, waiting included.
const CALL: Duration = Duration::from_secs(6);

/// Tries to open a file that another process is switching to a write-ahead log: for that step
/// SQLite answers "busy" at once instead of waiting.
const OPEN_TRIES: u32 = 20;

/// The store on SQLite.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    readers: SqlitePool,
    task: Task,
}

impl Sqlite {
    /// Opens or makes the file and brings it up to date.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(BUSY)
            .foreign_keys(true)
            .pragma("journal_size_limit", task::LOG_BYTES.to_string());
        let mut connection = connect(&options).await?;
        migrate(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(CALL)
            .connect_lazy_with(options.clone().pragma("query_only", "on"));
        Ok(Self { readers, task: Task::start(connection, path) })
    }

    /// Runs `work` on a connection that cannot write.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send,
    {
        let mut connection = self.readers.acquire().await?;
        timeout(CALL, work(&mut connection)).await.map_err(|_| no_answer())?
    }

    /// Runs `work` in a transaction, which its error rolls back, before any waiting record.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send + 'static,
    {
        timeout(CALL, self.task.small(work)).await.map_err(|_| no_answer())?
    }

    /// Runs `work` in a transaction, after every small write that waits. Not limited from here:
    /// the one writer of the record waits for what it wrote.
    async fn write_record<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send + 'static,
    {
        self.task.record(work).await
    }

    /// Writes what waits, empties the log and closes the file.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.task.close().await;
    }
}

async fn connect(options: &SqliteConnectOptions) -> Result<Connection, StoreError> {
    let mut tries = 0;
    loop {
        match options.connect().await.map_err(StoreError::from) {
            Err(StoreError::Down(_)) if tries < OPEN_TRIES => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            result => return result,
        }
    }
}

/// Runs what is missing, all of it in one transaction: whoever else opens the file meanwhile
/// waits at its own `BEGIN IMMEDIATE`.
async fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let mut migrator = MIGRATIONS_SQLITE;
    migrator.set_ignore_missing(true).run_direct(None, &mut *transaction, false).await?;
    transaction.commit().await?;
    Ok(())
}

/// Nothing to lock: whoever writes is alone.
async fn lock_rooms(_: &mut Connection) -> Result<(), StoreError> {
    Ok(())
}

fn no_answer() -> StoreError {
    StoreError::Down("no answer in time".to_owned())
}
