//! The record: who may write it, writing and reading.

use std::sync::Arc;

use wire::host::Mark;
use wire::{Seq, SessionId};

use super::{Store, on};
use crate::error::{AppendError, StoreError};
use crate::rows::{Batch, Page, Role, Row};

impl Store {
    /// Takes the right to record a session: whoever had it is refused from now on.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn take_role(&self, session: SessionId) -> Result<Role, StoreError> {
        on!(&self.0.database, write, record::take_role(session))
    }

    /// Stores a batch, all of it or nothing, together with those of other sessions that wait.
    ///
    /// # Errors
    ///
    /// [`AppendError::Moved`] says where to go on from; [`AppendError::Fenced`] to stop;
    /// [`StoreError::Down`] to try the same again: if it was stored after all, the answer is then
    /// `Moved`.
    pub async fn append(&self, batch: Arc<Batch>) -> Result<(), AppendError> {
        self.0.writer.append(batch).await
    }

    /// A page of the record: rows and gaps from the one that holds `from`, up to `to`, about
    /// `max_bytes` (at least one row).
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn transcript(
        &self,
        session: SessionId,
        from: Seq,
        to: Seq,
        max_bytes: usize,
    ) -> Result<Page, StoreError> {
        on!(&self.0.database, read, record::page(session, from, to, max_bytes))
    }

    /// The last rows of a session, about `max_bytes` (at least one if there is any), in order.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn transcript_tail(
        &self,
        session: SessionId,
        max_bytes: usize,
    ) -> Result<Vec<Row>, StoreError> {
        on!(&self.0.database, read, record::tail(session, max_bytes))
    }

    /// Marks after `after`, in order, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn marks(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Mark>, StoreError> {
        on!(&self.0.database, read, record::marks(session, after, limit))
    }

    /// Columns and rows at the end of the record; none before its first mark.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn last_size(&self, session: SessionId) -> Result<Option<(u16, u16)>, StoreError> {
        on!(&self.0.database, read, record::last_size(session))
    }
}
