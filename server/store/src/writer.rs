//! The one task that writes the record into a store.
//!
//! While a write is in flight what comes next waits in the queue; the next statement then carries
//! all of it, of every session, up to [`STATEMENT_BYTES`]. So a store that is slow gets fewer and
//! larger writes, and one that is fast gets each batch at once. The task never tries a batch
//! again by itself: whoever sent it knows what it still has, and waits as long as it likes.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::error::{AppendError, StoreError};
use crate::rows::Batch;

/// Rows that one statement carries, beyond its first batch: past this, more bytes a statement
/// gain nothing and the small writes of others wait longer.
const STATEMENT_BYTES: usize = 1024 * 1024;

/// Batches that wait. A recorder has one at a time, so this is how many sessions may wait before
/// the next one waits outside.
const QUEUE_BATCHES: usize = 256;

type Answer = Result<(), AppendError>;

/// A batch on its way, and who waits for it.
type Waiting = (Arc<Batch>, oneshot::Sender<Answer>);

/// Hands batches to the task.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Waiting>,
}

/// A database that stores batches: one answer for each, in order.
pub(crate) trait Append: Send + Sync + 'static {
    /// Stores what it can; one batch that fails takes no other with it.
    fn append(&self, batches: Vec<Arc<Batch>>) -> impl Future<Output = Vec<Answer>> + Send;
}

impl Writer {
    /// Starts the task. It ends when the last handle is gone and its queue is empty.
    pub(crate) fn start(db: impl Append) -> Self {
        let (queue, mut waiting) = mpsc::channel(QUEUE_BATCHES);
        tokio::spawn(async move {
            while let Some(first) = waiting.recv().await {
                let (batches, answers) = gather(first, &mut waiting);
                let results = db.append(batches).await;
                for (answer, result) in answers.into_iter().zip(results) {
                    // A recorder that has gone meanwhile learns from the store what it has.
                    let _gone = answer.send(result);
                }
            }
        });
        Self { queue }
    }

    /// Stores one batch.
    pub(crate) async fn append(&self, batch: Arc<Batch>) -> Answer {
        if let Some(at) = batch.torn_at() {
            return Err(AppendError::Torn { at });
        }
        let ended = || StoreError::Down("the writer has ended".to_owned());
        let (answer, answered) = oneshot::channel();
        self.queue.send((batch, answer)).await.map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }
}

fn gather(
    first: Waiting,
    waiting: &mut mpsc::Receiver<Waiting>,
) -> (Vec<Arc<Batch>>, Vec<oneshot::Sender<Answer>>) {
    let mut bytes = first.0.bytes();
    let (mut batches, mut answers) = (vec![first.0], vec![first.1]);
    while bytes < STATEMENT_BYTES {
        let Ok((batch, answer)) = waiting.try_recv() else { break };
        bytes += batch.bytes();
        batches.push(batch);
        answers.push(answer);
    }
    (batches, answers)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::sync::Semaphore;
    use wire::{Seq, SessionId};

    use super::*;
    use crate::rows::{Item, Row};

    /// Takes one statement for each permit and keeps how many batches each carried.
    #[derive(Clone)]
    struct Slow {
        permits: Arc<Semaphore>,
        statements: Arc<Mutex<Vec<usize>>>,
    }

    impl Append for Slow {
        async fn append(&self, batches: Vec<Arc<Batch>>) -> Vec<Answer> {
            self.statements.lock().unwrap().push(batches.len());
            self.permits.acquire().await.unwrap().forget();
            batches.iter().map(|_| Ok(())).collect()
        }
    }

    fn batch(n: u8, bytes: usize) -> Arc<Batch> {
        let to = Seq(u64::try_from(bytes).unwrap());
        let row = Row { from: Seq::ZERO, to, at_ms: 0, bytes: vec![b'x'; bytes] };
        Arc::new(Batch {
            session: SessionId::from_random([n; 16]),
            epoch: 1,
            from: Seq::ZERO,
            to,
            after_mark: 0,
            mark: 0,
            redact_state: 0,
            items: vec![Item::Row(row)],
            marks: Vec::new(),
        })
    }

    async fn statements_of(sizes: &[usize]) -> Vec<usize> {
        let db = Slow { permits: Arc::new(Semaphore::new(0)), statements: Arc::default() };
        let writer = Writer::start(db.clone());
        let appends: Vec<_> = (0..)
            .zip(sizes)
            .map(|(n, bytes)| {
                let (writer, batch) = (writer.clone(), batch(n, *bytes));
                tokio::spawn(async move { writer.append(batch).await })
            })
            .collect();
        while db.statements.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        db.permits.add_permits(sizes.len());
        for append in appends {
            append.await.unwrap().unwrap();
        }
        db.statements.lock().unwrap().clone()
    }

    #[tokio::test]
    async fn what_waits_goes_into_one_statement() {
        let statements = statements_of(&[10; 9]).await;
        assert_eq!(statements.iter().sum::<usize>(), 9);
        assert!(statements.len() <= 2, "{statements:?}");
    }

    #[tokio::test]
    async fn a_statement_carries_a_mebibyte_and_no_more_batches() {
        let statements = statements_of(&[600 * 1024; 8]).await;
        assert_eq!(statements.iter().sum::<usize>(), 8);
        assert!(statements.iter().all(|batches| *batches <= 2), "{statements:?}");
    }

    #[tokio::test]
    async fn a_recorder_that_went_away_stops_nobody() {
        let db = Slow { permits: Arc::new(Semaphore::new(9)), statements: Arc::default() };
        let writer = Writer::start(db);
        let gone = writer.clone();
        let append = tokio::spawn(async move { gone.append(batch(1, 10)).await });
        append.abort();
        assert!(append.await.is_err());
        writer.append(batch(2, 10)).await.unwrap();
    }
}
