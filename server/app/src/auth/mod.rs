//! Who may come in: by which host name, from which page, as whom, and with which ticket.
//!
//! [`doors`] the names that are ours · [`signin`] the printed address · [`session`] cookies ·
//! [`tickets`] one socket each · [`guard`] what a route asks of its caller, in one place.

pub mod doors;
pub mod guard;
pub mod session;
pub mod signin;
pub mod tickets;

use sha2::{Digest as _, Sha256};
use wire::browser::CallerKind;
use wire::{CallerId, SigninId};

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub id: CallerId,
    /// Their name, for people.
    pub name: String,
    /// Person, agent or guest.
    pub kind: CallerKind,
    /// Whether they own this workspace.
    pub owner: bool,
    /// The sign-in they came by; none for whoever came through the core's own socket.
    pub signin: Option<SigninId>,
}

/// What is kept of a token.
pub(crate) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
