//! A viewer's place in a hub.

use std::sync::Arc;

use super::hub::Hub;
use super::mailbox::Mailbox;

/// A viewer's place in a hub; given up when dropped.
#[derive(Debug)]
pub struct Watching {
    hub: Arc<Hub>,
    key: u64,
    mailbox: Arc<Mailbox>,
}

impl Watching {
    pub(super) fn new(hub: &Arc<Hub>, key: u64, mailbox: Arc<Mailbox>) -> Self {
        Self { hub: Arc::clone(hub), key, mailbox }
    }

    /// The hub.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Names this place among the hub's.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// What is to be told to this viewer alone.
    pub fn mailbox(&self) -> &Arc<Mailbox> {
        &self.mailbox
    }

    /// Its pane can be seen, or no longer.
    pub fn set_visible(&self, visible: bool) {
        self.hub.change(|state| state.on_visible(self.key, visible));
    }

    /// Nothing is heard of it, or something is again: for its lease it is gone, or back.
    pub fn set_heard(&self, heard: bool) {
        self.hub.look().on_heard(self.hub.session(), self.key, heard);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.hub.change(|state| state.on_left(self.hub.session(), self.key));
    }
}
