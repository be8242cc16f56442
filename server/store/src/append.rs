//! What both databases do alike when they append: all sessions together, and alone those that
//! spoil it for the others.

use std::sync::Arc;

use crate::error::{AppendError, StoreError};
use crate::rows::{Batch, Role};

/// The answer to one batch.
pub(crate) type Answer = Result<(), AppendError>;

/// Tries all batches in one transaction. If a batch of one session makes it fail, each is tried
/// alone; if the database is down, none is tried again here.
pub(crate) async fn together_or_alone<F, T>(batches: Vec<Arc<Batch>>, attempt: F) -> Vec<Answer>
where
    F: Fn(Vec<Arc<Batch>>) -> T,
    T: Future<Output = Result<Vec<Answer>, StoreError>>,
{
    match attempt(batches.clone()).await {
        Ok(answers) => return answers,
        Err(StoreError::Down(why)) => {
            return batches.iter().map(|_| Err(StoreError::Down(why.clone()).into())).collect();
        }
        Err(error) if batches.len() == 1 => return vec![Err(error.into())],
        Err(error) => tracing::warn!(%error, sessions = batches.len(), "trying each alone"),
    }
    let mut answers = Vec::with_capacity(batches.len());
    for batch in batches {
        answers.push(match attempt(vec![batch]).await {
            Ok(alone) => alone.into_iter().next().unwrap_or(Ok(())),
            Err(error) => Err(error.into()),
        });
    }
    answers
}

/// Why a session did not move: `standing` is how it stands in the same transaction.
pub(crate) fn why_not(standing: Result<Role, StoreError>, batch: &Batch) -> Answer {
    let role = standing?;
    if role.epoch != batch.epoch {
        return Err(AppendError::Fenced);
    }
    Err(AppendError::Moved {
        durable: role.durable,
        mark: role.mark,
        redact_state: role.redact_state,
    })
}

/// A mark's kind as its own column, for questions that need no JSON.
pub(crate) fn kind(mark: &wire::host::MarkKind) -> &'static str {
    match mark {
        wire::host::MarkKind::Start { .. } => "start",
        wire::host::MarkKind::Resize { .. } => "resize",
        wire::host::MarkKind::Exit { .. } => "exit",
        wire::host::MarkKind::Gap { .. } => "gap",
    }
}
