//! The sessions of this host, each with the task that runs it.
//!
//! A session's task may panic; then its processes are ended, everybody who followed it is told,
//! and the others go on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use link::{Frame, Outbox};
use tokio::sync::OnceCell;
use wire::browser::Exit;
use wire::host::HostEvent;
use wire::{ErrorBody, Seq, SessionId};

use std::sync::atomic::Ordering;

use crate::ending::{self, Whom};
use crate::session::Handle;

/// A session that runs, or is being started by the first who asked for it.
type Slot = Arc<OnceCell<Handle>>;

/// The sessions and the connections of this host.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    sessions: Mutex<HashMap<SessionId, Slot>>,
    conns: Mutex<HashMap<u64, Outbox>>,
}

impl Registry {
    /// The session, if it runs or has ended not long ago.
    pub(crate) fn get(&self, session: SessionId) -> Option<Handle> {
        lock(&self.sessions).get(&session)?.get().cloned()
    }

    /// Whether a session is here, or is being started.
    pub(crate) fn knows(&self, session: SessionId) -> bool {
        lock(&self.sessions).contains_key(&session)
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Handle> {
        lock(&self.sessions).values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// The session, started by `start` if it is not there. However often it is asked for, also at
    /// once, it is started once; one that could not be started may be asked for again.
    ///
    /// # Errors
    ///
    /// What `start` says.
    pub(crate) async fn get_or_start<F>(
        &self,
        session: SessionId,
        start: impl FnOnce() -> F,
    ) -> Result<Handle, ErrorBody>
    where
        F: Future<Output = Result<Handle, ErrorBody>>,
    {
        let slot = Arc::clone(lock(&self.sessions).entry(session).or_default());
        let started = slot.get_or_try_init(start).await.cloned();
        if started.is_err() {
            let mut sessions = lock(&self.sessions);
            // Somebody else may be starting it by now.
            if sessions.get(&session).is_some_and(|kept| {
                Arc::ptr_eq(kept, &slot) && !kept.initialized() && Arc::strong_count(kept) == 2
            }) {
                sessions.remove(&session);
            }
        }
        started
    }

    /// Follows a session's task to its end, expected or not.
    pub(crate) fn watch(self: &Arc<Self>, handle: Handle, task: tokio::task::JoinHandle<()>) {
        let registry = Arc::clone(self);
        tokio::spawn(async move {
            let ended = task.await;
            lock(&registry.sessions).remove(&handle.session);
            // Cancelled: the host itself is ending.
            let Some(error) = ended.err().filter(tokio::task::JoinError::is_panic) else { return };
            tracing::error!(session = %handle.session, %error, "a session failed and is ended");
            let marked = Whom::Marked { prefix: handle.mark.clone(), except: None };
            ending::end(marked).await;
            let event = HostEvent::Exited {
                session: handle.session,
                exit: Exit::Signal(libc::SIGKILL),
                seq: Seq(handle.end.load(Ordering::Relaxed)),
            };
            for outbox in registry.outboxes() {
                if outbox.urgent(Frame::event(event.clone())).is_err() {
                    tracing::debug!("a closed connection is not told of a failed session");
                }
            }
        });
    }

    /// A core has connected.
    pub(crate) fn on_connected(&self, conn: u64, outbox: Outbox) {
        lock(&self.conns).insert(conn, outbox);
    }

    /// A core has gone.
    pub(crate) fn on_gone(&self, conn: u64) {
        lock(&self.conns).remove(&conn);
    }

    /// Whether any core is connected.
    pub(crate) fn has_core(&self) -> bool {
        !lock(&self.conns).is_empty()
    }

    fn outboxes(&self) -> Vec<Outbox> {
        lock(&self.conns).values().cloned().collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
