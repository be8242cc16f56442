//! Sessions.

use wire::browser::Exit;
use wire::{PaneId, SessionId};

use super::{Store, on};
use crate::error::StoreError;
use crate::rows::{NewSession, Session, SessionNote};

impl Store {
    /// Writes a session down, before its program is started or when it was found, and shows it in
    /// its pane.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] when the pane shows another session than `after` by now,
    /// [`StoreError::NotFound`] without the pane, [`StoreError::Down`].
    pub async fn insert_session(&self, new: NewSession) -> Result<Session, StoreError> {
        on!(&self.0.database, write, sessions::insert(&new))
    }

    /// Takes back a session whose program never started; its pane shows `before` again.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when it is not `Starting`, [`StoreError::Down`].
    pub async fn forget_session(
        &self,
        id: SessionId,
        before: Option<SessionId>,
    ) -> Result<(), StoreError> {
        on!(&self.0.database, write, sessions::forget(id, before))
    }

    /// One session.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn session(&self, id: SessionId) -> Result<Session, StoreError> {
        on!(&self.0.database, read, sessions::get(id))
    }

    /// Every session that the store thinks starting or running, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn alive_sessions(&self) -> Result<Vec<Session>, StoreError> {
        on!(&self.0.database, read, sessions::list_alive())
    }

    /// The last 1,000 sessions of a pane, latest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn sessions_of_pane(&self, pane: PaneId) -> Result<Vec<Session>, StoreError> {
        on!(&self.0.database, read, sessions::list_of_pane(pane))
    }

    /// The program runs.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn set_running(&self, id: SessionId) -> Result<(), StoreError> {
        on!(&self.0.database, write, sessions::set_running(id))
    }

    /// The program ended. One that was thought lost turns out to have exited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn set_exited(
        &self,
        id: SessionId,
        exit: Exit,
        ended_ms: i64,
    ) -> Result<(), StoreError> {
        on!(&self.0.database, write, sessions::set_exited(id, exit, ended_ms))
    }

    /// The session ended with its host. Answers whether that was news.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn set_lost(&self, id: SessionId, ended_ms: i64) -> Result<bool, StoreError> {
        on!(&self.0.database, write, sessions::set_lost(id, ended_ms))
    }

    /// Notes what changed about a session.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn note_session(&self, id: SessionId, note: SessionNote) -> Result<(), StoreError> {
        on!(&self.0.database, write, sessions::note(id, &note))
    }
}
