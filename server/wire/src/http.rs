//! Bodies of the HTTP interface. JSON in camelCase; errors are [`crate::ErrorReply`].

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::browser::{Exit, Recording, SessionState};
use crate::{CallerId, FolderId, HostId, PaneId, RoomId, Seq, SessionId, ViewerId};

/// `POST /api/signin`.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SigninRequest {
    /// The one-time token of the printed URL.
    pub token: String,
}

/// `GET /api/me`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Who is signed in.
    pub caller: CallerId,
    /// Their name.
    pub name: String,
    /// The core's version, for "reload to update".
    pub build: String,
    /// Whether the pane host can be reached.
    pub host_up: bool,
    /// Whether the store can be reached.
    pub store_up: bool,
}

/// A room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Room {
    /// The room.
    pub id: RoomId,
    /// Its place among the rooms, from 0.
    pub slot: i16,
    /// Its name.
    pub name: String,
    /// Where its panes start unless they say otherwise.
    pub folder: String,
    /// How its panes are arranged; none until somebody arranges them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub layout: Option<LayoutNode>,
    /// Counts the changes of the layout; a change names the one it was made on.
    pub version: i32,
}

/// How panes share a room's space: a tree of splits.
#[expect(clippy::use_self, reason = "ts-rs and utoipa need the type's name")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "node", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum LayoutNode {
    /// A pane.
    Pane {
        /// Which.
        pane: PaneId,
    },
    /// Children side by side or above each other.
    Split {
        /// Which way they lie.
        direction: SplitDirection,
        /// The share of each child; as many as children, each above 0.
        shares: Vec<f64>,
        /// At least two.
        #[schema(no_recursion)]
        children: Vec<LayoutNode>,
    },
}

/// Which way the children of a split lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SplitDirection {
    /// Side by side.
    Row,
    /// Above each other.
    Column,
}

/// `POST /api/rooms`.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRoom {
    /// Its name.
    pub name: String,
    /// Where its panes start; the first registered folder if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<String>,
}

/// `PATCH /api/rooms/:id`. What is not given stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PatchRoom {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// A new folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<String>,
    /// A new arrangement; `version` must then be the one it was made on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub layout: Option<LayoutNode>,
    /// The version the layout was made on; another answers 409 `stale`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<i32>,
    /// A new place among the rooms: the others make way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slot: Option<i16>,
}

/// A pane, with the session it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pane {
    /// The pane.
    pub id: PaneId,
    /// Its room.
    pub room: RoomId,
    /// Its place in the room, 0 to 15.
    pub slot: i16,
    /// Its name.
    pub name: String,
    /// The profile it runs, such as `claude` or `shell`.
    pub profile: String,
    /// The command, when it is not the profile's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub command: Option<String>,
    /// The command's arguments.
    pub args: Vec<String>,
    /// Where it starts.
    pub cwd: String,
    /// The session it shows; none before its first start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<Session>,
}

/// A session, as lists show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The session.
    pub id: SessionId,
    /// The pane that shows it.
    pub pane: PaneId,
    /// The host that runs it.
    pub host: HostId,
    /// Starting, running, exited or lost.
    pub state: SessionState,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exit: Option<Exit>,
    /// Columns of its PTY.
    pub cols: u16,
    /// Rows of its PTY.
    pub rows: u16,
    /// Its title, as the program set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// When it started, in milliseconds since 1970.
    #[ts(type = "number")]
    pub started_at_ms: i64,
    /// How far it is recorded.
    pub durable: Seq,
    /// Whether it is being recorded.
    pub recording: Recording,
}

/// `POST /api/rooms/:id/panes`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPane {
    /// A profile's name; this or `command`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub profile: Option<String>,
    /// A command, found by PATH or a path; this or `profile`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub args: Vec<String>,
    /// Where to start; the room's folder if none is given. Inside a registered folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cwd: Option<String>,
    /// Its name; the profile's or command's if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Columns to start at; 120 if none are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cols: Option<u16>,
    /// Rows to start at; 32 if none are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rows: Option<u16>,
}

/// `PATCH /api/panes/:id`. What is not given stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PatchPane {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Another room to move to; its session goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub room: Option<RoomId>,
}

/// `POST /api/panes/:id/start` and `/restart`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartPane {
    /// Whether to continue the CLI's own last conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub resume: Option<bool>,
    /// Columns to start at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cols: Option<u16>,
    /// Rows to start at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rows: Option<u16>,
}

/// `POST /api/panes/:id/cli/ticket`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TicketRequest {
    /// What the socket may do; `control` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<TicketMode>,
    /// The viewer that will open it; a new one if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub viewer: Option<ViewerId>,
}

/// What a terminal socket may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TicketMode {
    /// Watch, and type when it holds the lease.
    Control,
    /// Watch only.
    Watch,
}

/// A ticket: opens one socket, once, soon.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketReply {
    /// 32 random bytes in base64url.
    pub ticket: String,
    /// How long it can be redeemed.
    #[ts(type = "number")]
    pub expires_in_ms: u64,
}

/// `POST /api/tickets`: many at once, for a page that comes back.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TicketsRequest {
    /// Up to 16 panes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<PaneId>>")]
    pub panes: Vec<PaneId>,
    /// Whether to get one for the event socket too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub events: Option<bool>,
    /// The viewer that will open them; a new one if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub viewer: Option<ViewerId>,
    /// What the sockets may do; `control` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<TicketMode>,
}

/// The tickets. A pane that does not exist has none.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketsReply {
    /// By pane.
    pub panes: Vec<PaneTicket>,
    /// For the event socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub events: Option<String>,
    /// How long they can be redeemed.
    #[ts(type = "number")]
    pub expires_in_ms: u64,
}

/// A ticket and the pane it is for.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaneTicket {
    /// The pane.
    pub pane: PaneId,
    /// The ticket.
    pub ticket: String,
}

/// A CLI or shell that panes can run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Its name, such as `claude`.
    pub name: String,
    /// Its name for people, such as `Claude Code`.
    pub title: String,
    /// Whether it was found on the host's machine.
    pub found: bool,
    /// Where it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    /// Its version, when it could be told cheaply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<String>,
    /// Whether somebody is signed in to it, when that can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<bool>,
    /// How to get it, for one that was not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub install: Option<String>,
    /// Whether it can continue its last conversation.
    pub resumes: bool,
    /// Whether it is a plain shell.
    pub shell: bool,
}

/// A folder in which panes may start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// The folder.
    pub id: FolderId,
    /// Its absolute path.
    pub path: String,
}

/// `POST /api/folders`.
#[derive(Clone, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewFolder {
    /// An absolute path.
    pub path: String,
}

/// A list. `next` continues it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomList {
    /// The rooms, by slot.
    pub items: Vec<Room>,
}

/// `GET /api/rooms/:id`: a room with its panes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomDetail {
    /// The room.
    pub room: Room,
    /// Its panes, by slot.
    pub panes: Vec<Pane>,
}

/// `GET /api/profiles`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileList {
    /// The profiles: found ones first.
    pub items: Vec<Profile>,
}

/// `GET /api/folders`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderList {
    /// The folders, by path.
    pub items: Vec<Folder>,
}

/// `GET /api/sessions/:id/transcript`: recorded output, redacted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptReply {
    /// The session.
    pub session: SessionId,
    /// Where `items` begins.
    pub from: Seq,
    /// How far it is recorded.
    pub durable: Seq,
    /// Rows and gaps in order of Seq; together they tile `from` to the last one's end.
    pub items: Vec<TranscriptItem>,
    /// The offset to ask for next; none at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<Seq>,
}

/// A row of the record, or a hole in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TranscriptItem {
    /// Recorded output.
    #[serde(rename_all = "camelCase")]
    Row {
        /// Its first byte's offset, before redaction.
        from: Seq,
        /// Its end's offset, before redaction.
        to: Seq,
        /// When it was printed, in milliseconds since 1970.
        #[ts(type = "number")]
        at_ms: i64,
        /// The redacted bytes in base64.
        data: String,
    },
    /// A stretch that was not kept.
    Gap {
        /// Its first byte.
        from: Seq,
        /// One past its last byte; none when not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        to: Option<Seq>,
        /// Why.
        why: String,
    },
}
