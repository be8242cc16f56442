//! One task per session: what it prints reaches its viewers and its record.
//!
//! `task` follows a session on its host and alone adds to its [`tail`]; [`hub`] is what viewers
//! see of it; [`registry`] finds the hub of a pane. The [`recorder`] stores what the tail shows.

pub mod frame;
#[expect(clippy::module_inception, reason = "the hub itself, among its parts")]
pub mod hub;
pub mod mailbox;
pub mod recorder;
pub mod registry;
pub mod snapshot;
mod stored;
pub mod tail;
mod task;
#[cfg(test)]
pub(crate) mod testing;
mod watching;

pub use registry::Hubs;
