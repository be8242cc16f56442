//! Where a recorder's output comes from, and what it records into: the seams its tests replace.

use std::sync::Arc;

use bytes::Bytes;
use link::{CallError, Client, ReadHead};
use store::{AppendError, Batch, Role, Store, StoreError};
use wire::browser::Exit;
use wire::host::Request;
use wire::{Seq, SessionId};

/// The host's end of one session.
pub(super) trait Source: Send + Sync + 'static {
    /// Output from `from` on and the marks after `after_mark` that stand in it.
    fn read(
        &self,
        from: Seq,
        after_mark: u64,
        max_bytes: u32,
    ) -> impl Future<Output = Result<(ReadHead, Bytes), CallError>> + Send;

    /// Everything before `seq`, and the marks up to `mark`, is stored.
    fn durable(&self, seq: Seq, mark: u64);
}

/// A session on a pane host.
#[derive(Clone, Debug)]
pub(super) struct HostSource {
    pub(super) client: Client,
    pub(super) session: SessionId,
}

impl Source for HostSource {
    async fn read(
        &self,
        from: Seq,
        after_mark: u64,
        max_bytes: u32,
    ) -> Result<(ReadHead, Bytes), CallError> {
        self.client.read(self.session, from, after_mark, max_bytes).await
    }

    fn durable(&self, seq: Seq, mark: u64) {
        let told = self.client.send(Request::Durable { session: self.session, seq, mark });
        if let Err(error) = told {
            // The next attach tells it: the host keeps what it does not know to be stored.
            tracing::debug!(session = %self.session, %error, "the host was not told");
        }
    }
}

/// The record of one session.
pub(super) trait Record: Send + Sync + 'static {
    /// Takes the right to write it; with it the columns at its end, if any are known.
    fn take_role(&self) -> impl Future<Output = Result<(Role, Option<u16>), StoreError>> + Send;

    /// Stores a batch.
    fn append(&self, batch: Arc<Batch>) -> impl Future<Output = Result<(), AppendError>> + Send;

    /// The columns at its end, if any are known.
    fn cols(&self) -> impl Future<Output = Result<Option<u16>, StoreError>> + Send;

    /// Notes that the program ended.
    fn set_exited(
        &self,
        exit: Exit,
        at_ms: i64,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// A session in the store.
#[derive(Clone, Debug)]
pub(super) struct StoreRecord {
    pub(super) store: Store,
    pub(super) session: SessionId,
}

impl Record for StoreRecord {
    async fn take_role(&self) -> Result<(Role, Option<u16>), StoreError> {
        let role = self.store.take_role(self.session).await?;
        Ok((role, self.cols().await?))
    }

    async fn append(&self, batch: Arc<Batch>) -> Result<(), AppendError> {
        self.store.append(batch).await
    }

    async fn cols(&self) -> Result<Option<u16>, StoreError> {
        Ok(self.store.last_size(self.session).await?.map(|(cols, _)| cols))
    }

    async fn set_exited(&self, exit: Exit, at_ms: i64) -> Result<(), StoreError> {
        self.store.set_exited(self.session, exit, at_ms).await
    }
}
