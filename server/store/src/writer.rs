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
