//! The way to the pane host: whether there is one, and the connection to it.
//!
//! What needs a host asks [`Hosts::client`] and is refused with `host_down` when there is none;
//! nothing waits for one to come. `supervise` keeps the connection up, `launch` starts a host
//! where it is ours to start, `adopt` brings store and host to agree whenever they meet.

mod adopt;
mod launch;
mod supervise;

use link::{Client, HelloReply};
use tokio::sync::watch;
use wire::{ErrorCode, HostId};

use crate::error::ApiError;

pub use self::supervise::run;

/// The pane host, if it can be reached.
#[derive(Debug, Default)]
pub struct Hosts {
    current: watch::Sender<Option<Up>>,
}

/// A host that can be reached.
#[derive(Clone, Debug)]
pub struct Up {
    /// The connection to it.
    pub client: Client,
    /// What it said about itself.
    pub hello: HelloReply,
}

impl Hosts {
    /// The connection to the host.
    ///
    /// # Errors
    ///
    /// `host_down`.
    pub fn client(&self) -> Result<Client, ApiError> {
        self.up().map(|up| up.client).ok_or_else(|| {
            ApiError::new(
                ErrorCode::HostDown,
                "The pane host cannot be reached now. It is tried again all the time.",
            )
        })
    }

    /// The host, if it can be reached.
    pub fn up(&self) -> Option<Up> {
        self.current.borrow().clone().filter(|up| !up.client.is_closed())
    }

    /// Whether the host can be reached.
    pub fn is_up(&self) -> bool {
        self.up().is_some()
    }

    /// The host's id, also while it cannot be reached.
    pub fn id(&self) -> Option<HostId> {
        self.current.borrow().as_ref().map(|up| up.hello.host)
    }

    /// Follows the host as it comes and goes.
    pub fn watch(&self) -> watch::Receiver<Option<Up>> {
        self.current.subscribe()
    }

    /// Waits until the host can be reached.
    pub async fn met(&self) {
        // What comes back holds the lock of the channel: it must not be kept.
        drop(self.watch().wait_for(Option::is_some).await);
    }

    fn set(&self, up: Option<Up>) {
        self.current.send_replace(up);
    }
}

/// The host answered something else than was asked for: a fault of ours or of its version. The
/// answer is not shown, since a session's arguments may hold a secret.
pub fn unexpected(asked: &str) -> ApiError {
    ApiError::internal(format!("the pane host's answer to {asked} is no answer to that"))
}
