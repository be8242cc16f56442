//! Every shape that crosses a process boundary: between the core and the pane host, between the
//! core and a browser, and over HTTP.
//!
//! Nothing here does I/O or waits. The page's types and run-time validators are generated from
//! these ([`schema`]); binary frames are written by hand in both languages and pinned by the
//! golden files in `tests/fixtures/frames`. `PROTOCOL.md` beside this file is the specification.

pub mod browser;
pub mod error;
pub mod event;
pub mod frame;
pub mod host;
pub mod http;
pub mod ids;
pub mod limits;
pub mod schema;
pub mod seq;

pub use error::{ErrorBody, ErrorCode, ErrorReply};
pub use ids::{CallerId, FolderId, HostId, PaneId, RoomId, SessionId, SigninId, StoreId, ViewerId};
pub use seq::{Seq, Span};
