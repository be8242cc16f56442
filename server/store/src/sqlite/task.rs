//! The one task that writes into a SQLite file.
//!
//! Two queues: what a person waits for goes first, the record after it. A job runs to its end
//! even when whoever asked for it has gone, so no transaction is ever left half done.

use std::path::{Path, PathBuf};

use sqlx::Connection as _;
use tokio::sync::{mpsc, oneshot};

use super::Connection;
use crate::BoxFuture;
use crate::error::StoreError;

/// Jobs that wait in either queue; the next one waits outside.
const QUEUE_JOBS: usize = 64;

/// The write-ahead log is emptied past this. It empties by itself at 4 MiB unless a reader holds
/// on to it; then it grows with all that is written.
pub(super) const LOG_BYTES: u64 = 64 * 1024 * 1024;

type Job = Box<dyn for<'c> FnOnce(&'c mut Connection) -> JobFuture<'c> + Send>;
type JobFuture<'c> = std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

/// Hands jobs to the task.
#[derive(Clone, Debug)]
pub(super) struct Task {
    small: mpsc::Sender<Job>,
    record: mpsc::Sender<Job>,
    close: mpsc::Sender<oneshot::Sender<()>>,
}

impl Task {
    /// Starts the task. It ends when it is closed or the last handle is gone.
    pub(super) fn start(connection: Connection, path: &Path) -> Self {
        let (small, small_jobs) = mpsc::channel(QUEUE_JOBS);
        let (record, record_jobs) = mpsc::channel(QUEUE_JOBS);
        let (close, closing) = mpsc::channel(1);
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        tokio::spawn(run(connection, small_jobs, record_jobs, closing, log.into()));
        Self { small, record, close }
    }

    /// Runs `work` before any record that waits.
    pub(super) async fn small<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send + 'static,
    {
        ask(&self.small, work).await
    }

    /// Runs `work` when nothing small waits.
    pub(super) async fn record<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send + 'static,
    {
        ask(&self.record, work).await
    }

    /// Ends the task after what waits; returns when the file is closed.
    pub(super) async fn close(&self) {
        let (closed, is_closed) = oneshot::channel();
        if self.close.send(closed).await.is_ok() {
            // An error means that it ended without us.
            let _ended = is_closed.await;
        }
    }
}

async fn ask<T, F>(queue: &mpsc::Sender<Job>, work: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send + 'static,
{
    let ended = || StoreError::Down("the store is closed".to_owned());
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        Box::pin(async move {
            // Whoever asked may have gone; the work is done all the same.
            let _gone = answer.send(transact(connection, work).await);
        })
    });
    queue.send(job).await.map_err(|_| ended())?;
    answered.await.map_err(|_| ended())?
}

async fn transact<T, F>(connection: &mut Connection, work: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> BoxFuture<'c, T> + Send,
{
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    match work(&mut transaction).await {
        Ok(value) => {
            transaction.commit().await?;
            Ok(value)
        }
        Err(error) => {
            transaction.rollback().await?;
            Err(error)
        }
    }
}

async fn run(
    mut connection: Connection,
    mut small: mpsc::Receiver<Job>,
    mut record: mpsc::Receiver<Job>,
    mut closing: mpsc::Receiver<oneshot::Sender<()>>,
    log: PathBuf,
) {
    loop {
        let (job, is_record) = tokio::select! {
            biased;
            Some(job) = small.recv() => (job, false),
            Some(job) = record.recv() => (job, true),
            closed = closing.recv() => {
                if let Err(error) = connection.close().await {
                    tracing::warn!(%error, "the store's file was not closed cleanly");
                }
                if let Some(closed) = closed {
                    // Nobody has to wait for it.
                    let _gone = closed.send(());
                }
                return;
            }
        };
        job(&mut connection).await;
        if is_record {
            empty_log(&mut connection, &log).await;
        }
    }
}

/// Copies the log into the database and cuts it, once it is long.
async fn empty_log(connection: &mut Connection, log: &Path) {
    let long = tokio::fs::metadata(log).await.is_ok_and(|file| file.len() > LOG_BYTES);
    if !long {
        return;
    }
    if let Err(error) = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(connection).await {
        tracing::warn!(%error, "the write-ahead log could not be emptied");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;

    async fn task() -> (Task, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        sqlx::query("CREATE TABLE t (n INTEGER)").execute(&mut connection).await.unwrap();
        (Task::start(connection, &path), folder)
    }

    /// Notes what was done; answers how much was done before.
    fn note(order: &Mutex<Vec<&'static str>>, what: &'static str) -> usize {
        let mut order = order.lock().unwrap();
        order.push(what);
        order.len() - 1
    }

    async fn count(task: &Task) -> i64 {
        task.small(|db| {
            Box::pin(async move {
                Ok(sqlx::query_scalar("SELECT COUNT(*) FROM t").fetch_one(db).await?)
            })
        })
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn what_a_person_waits_for_goes_before_the_record() {
        let (task, _folder) = task().await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let record = || {
            let order = Arc::clone(&order);
            task.record(|_| Box::pin(async move { Ok(note(&order, "record")) }))
        };
        let small = || {
            let order = Arc::clone(&order);
            task.small(|_| Box::pin(async move { Ok(note(&order, "small")) }))
        };
        let (a, b, c, d) = tokio::join!(record(), record(), small(), small());
        let done = [a, b, c, d].map(Result::unwrap);
        assert_eq!(done, [2, 3, 0, 1], "{:?}", order.lock().unwrap());
    }

    #[tokio::test]
    async fn work_that_fails_leaves_nothing_behind() {
        let (task, _folder) = task().await;
        let failed: Result<(), StoreError> = task
            .small(|db| {
                Box::pin(async move {
                    sqlx::query("INSERT INTO t VALUES (1)").execute(db).await?;
                    Err(StoreError::Stale)
                })
            })
            .await;
        assert!(matches!(failed, Err(StoreError::Stale)));
        assert_eq!(count(&task).await, 0);
    }

    #[tokio::test]
    async fn work_whose_asker_went_away_is_done_whole() {
        let (task, _folder) = task().await;
        let insert = task.small(|db| {
            Box::pin(async move {
                for _ in 0..2 {
                    sqlx::query("INSERT INTO t VALUES (1)").execute(&mut *db).await?;
                    tokio::task::yield_now().await;
                }
                Ok(())
            })
        });
        // Asked for, and dropped before the answer.
        tokio::select! {
            biased;
            _done = insert => panic!("the task has not run yet"),
            () = tokio::task::yield_now() => {}
        }
        assert_eq!(count(&task).await, 2);
    }

    #[tokio::test]
    async fn a_closed_task_says_so() {
        let (task, _folder) = task().await;
        task.close().await;
        let closed = task.small(|_| Box::pin(async { Ok(()) })).await;
        assert!(matches!(closed, Err(StoreError::Down(_))));
    }
}
