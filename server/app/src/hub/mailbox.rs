//! What one socket is told besides output, and by whom: its hub and its own driver put it in, the
//! driver takes it out.
//!
//! Bounded by [`Slots`]. The hub never waits for a socket; a socket watches a state, so it cannot
//! miss that there is something.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pane::slots::Slots;
use tokio::sync::watch;
use wire::browser::ServerMessage;

/// One socket's mailbox.
#[derive(Debug)]
pub struct Mailbox {
    slots: Mutex<Slots>,
    /// Whether a newer socket of the same viewer has taken over. Sent anew with every message.
    superseded: watch::Sender<bool>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self { slots: Mutex::default(), superseded: watch::channel(false).0 }
    }
}

impl Mailbox {
    /// Something to tell.
    pub fn put(&self, message: ServerMessage) {
        self.slots().put(message);
        self.superseded.send_modify(|_| {});
    }

    /// A newer socket of the same viewer has taken over.
    pub(super) fn supersede(&self) {
        self.superseded.send_replace(true);
    }

    /// Changes with every message; true once the socket is superseded.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.superseded.subscribe()
    }

    /// What waits.
    pub fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
