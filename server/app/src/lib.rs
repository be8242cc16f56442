//! The core: the process that people's browsers speak to.
//!
//! It keeps no session of its own. Panes run in the pane host, what must be remembered lies in
//! the store, and everything here can be killed at any moment: [`hosts`] finds the sessions
//! again, [`hub`] follows them, and viewers come back through [`terminal`]. [`router`] holds the
//! one table of routes with what each asks of its caller.

pub mod auth;
pub mod cli;
pub mod clock;
pub mod config;
pub mod error;
pub mod events;
pub mod front;
pub mod hosts;
pub mod http;
pub mod hub;
pub mod listen;
pub mod random;
pub mod router;
pub mod sessions;
pub mod shutdown;
pub mod state;
pub mod terminal;

/// This build, for "reload to update" and for the host.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");
