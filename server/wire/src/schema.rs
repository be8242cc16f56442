//! The list of everything the page needs a type and a validator for.
//!
//! `cargo dev gen` turns it into `web/src/wire/gen`; a test compares the committed folder.

use ts_rs::TS;
use utoipa::{PartialSchema, ToSchema};

/// One type: its name, its TypeScript declaration and its schema.
#[derive(Debug)]
pub struct Shape {
    /// The name in Rust, in TypeScript and in the schema.
    pub name: String,
    /// `type Name = …;`
    pub typescript: String,
    /// What the validator checks, as an `OpenAPI` schema.
    pub schema: serde_json::Value,
}

macro_rules! shapes {
    ($($path:path),* $(,)?) => {
        /// Every shape, in the order of the source.
        pub fn shapes() -> Vec<Shape> {
            let config = ts_rs::Config::default();
            vec![$(Shape {
                name: <$path as ToSchema>::name().into_owned(),
                typescript: <$path as TS>::decl(&config),
                schema: serde_json::to_value(<$path as PartialSchema>::schema())
                    .expect("a schema is plain JSON"),
            }),*]
        }
    };
}

shapes![
    crate::RoomId,
    crate::PaneId,
    crate::SessionId,
    crate::HostId,
    crate::ViewerId,
    crate::CallerId,
    crate::FolderId,
    crate::Seq,
    crate::Span,
    crate::ErrorCode,
    crate::ErrorBody,
    crate::ErrorReply,
    crate::browser::ClientMessage,
    crate::browser::Paste,
    crate::browser::ControlAction,
    crate::browser::ServerMessage,
    crate::browser::Scope,
    crate::browser::SnapshotReason,
    crate::browser::ReadyLimits,
    crate::browser::Holder,
    crate::browser::CallerKind,
    crate::browser::ViewerInfo,
    crate::browser::SessionState,
    crate::browser::Exit,
    crate::browser::Recording,
    crate::browser::Modes,
    crate::event::EventEnvelope,
    crate::event::Event,
    crate::http::SigninRequest,
    crate::http::Me,
    crate::http::Room,
    crate::http::LayoutNode,
    crate::http::SplitDirection,
    crate::http::NewRoom,
    crate::http::PatchRoom,
    crate::http::Pane,
    crate::http::Session,
    crate::http::NewPane,
    crate::http::PatchPane,
    crate::http::StartPane,
    crate::http::TicketRequest,
    crate::http::TicketMode,
    crate::http::TicketReply,
    crate::http::TicketsRequest,
    crate::http::TicketsReply,
    crate::http::PaneTicket,
    crate::http::Profile,
    crate::http::Folder,
    crate::http::NewFolder,
    crate::http::RoomList,
    crate::http::RoomDetail,
    crate::http::ProfileList,
    crate::http::FolderList,
    crate::http::TranscriptReply,
    crate::http::TranscriptItem,
];
