//! The Unix socket between core and pane host, both ends.
//!
//! Moves frames and never judges them: who may type or what may be read is decided elsewhere.
//!
//! * [`frame`] makes frames to send and takes them apart as they arrive;
//! * [`outbox`] orders what is to be sent: answers to keys first, then the sessions in turns;
//! * [`conn`] writes an outbox to a socket;
//! * [`handshake`] lets nobody in, and tells nobody a secret, before knowing who it is;
//! * [`host`] is the host's end, [`client`] the core's.

pub mod client;
pub mod conn;
pub mod error;
pub mod frame;
pub mod handshake;
pub mod host;
pub mod outbox;

pub use client::{Attached, Client, HelloReply, ReadHead, SessionEvent};
pub use error::{CallError, LinkError};
pub use frame::Frame;
pub use handshake::{ConnectOptions, Gate};
pub use host::{HostConn, Message};
pub use outbox::Outbox;
