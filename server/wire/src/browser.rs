//! What a viewer's WebSocket says, in JSON. The binary frames are in [`crate::frame`].
//!
//! Both encodings carry the same messages: in `glasshouse.v1.json` everything is here; in
//! `glasshouse.v1` output, snapshot parts and input are binary instead.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ErrorCode, Seq, SessionId, ViewerId};

/// From a viewer to the core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum ClientMessage {
    /// Keys or a paste, for the program.
    Input {
        /// The text; at most [`crate::limits::INPUT_MAX_UNITS`] UTF-16 units.
        data: String,
        /// Which part of a paste this is; none for keys.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        paste: Option<Paste>,
        /// The grant under which it is typed; 0 or none takes a free lease.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        epoch: Option<u32>,
        /// How many refusals this viewer has seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        run: Option<u32>,
        /// Counts up for the life of the viewer. Without one there is no ack and no resend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        id: Option<u64>,
    },
    /// The viewer's size. Only the holder's counts.
    #[serde(rename_all = "camelCase")]
    Resize {
        /// Columns, 2 to 400.
        cols: u16,
        /// Rows, 2 to 200.
        rows: u16,
        /// Width of a cell in CSS pixels, for programs that ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        cell_width: Option<u16>,
        /// Height of a cell in CSS pixels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        cell_height: Option<u16>,
    },
    /// Stop what runs in the foreground, whatever is still queued.
    Interrupt {},
    /// Answered by `pong`.
    Ping {
        /// Comes back as it was.
        t: f64,
    },
    /// The lease: who types.
    Control {
        /// What to do with it.
        action: ControlAction,
    },
    /// Everything up to `seq` has been parsed.
    Ack {
        /// The stream it belongs to, from `ready` or `session_replaced`; others are ignored.
        stream: u32,
        /// The offset reached.
        seq: Seq,
        /// The snapshot that was applied, if this acknowledges one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        n: Option<u32>,
    },
    /// Whether anybody can see the pane.
    Visibility {
        /// False in another room, under a zoomed pane, in a background tab.
        visible: bool,
    },
    /// The colours the viewer draws with.
    Theme {
        /// Foreground, `#rrggbb`.
        fg: String,
        /// Background, `#rrggbb`.
        bg: String,
        /// Cursor, `#rrggbb`.
        cursor: String,
        /// The 16 colours of the palette, `#rrggbb`.
        palette: Vec<String>,
    },
    /// Send the screen anew: the viewer dropped output of its own accord.
    Resync {},
}

/// Which part of a paste an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Paste {
    /// The whole paste.
    One,
    /// Its first part; more follow.
    Start,
    /// A part in the middle.
    More,
    /// Its last part.
    End,
}

/// What a viewer asks of the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlAction {
    /// Take it if it is free.
    Acquire,
    /// Keep it for another TTL.
    Renew,
    /// Let it go.
    Release,
    /// Take it from another tab of the same caller, or, as the owner, from anybody.
    Take,
    /// Ask the holder for it.
    Request,
    /// Give it to who asked.
    Give,
}

/// From the core to a viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    /// First of all: what the socket is attached to.
    #[serde(rename_all = "camelCase")]
    Ready {
        /// The session.
        session: SessionId,
        /// Counts the sessions this socket has shown; acks name it.
        stream: u32,
        /// Where the output that follows begins, unless a snapshot comes first.
        seq: Seq,
        /// Columns of the PTY.
        cols: u16,
        /// Rows of the PTY.
        rows: u16,
        /// Who may type now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        holder: Option<Holder>,
        /// Whether that is this viewer.
        you: bool,
        /// The grant's number.
        epoch: u32,
        /// This viewer may only watch.
        read_only: bool,
        /// The numbers to keep to.
        limits: ReadyLimits,
    },
    /// A screen to draw from a reset. In JSON each part carries `part`, `last` and `data`; the
    /// binary encoding sends one head with `bytes` and then the parts as frames.
    Snapshot {
        /// Numbers the snapshots of this socket.
        n: u32,
        /// The offset at which the screen stands.
        seq: Seq,
        /// Columns to draw it at.
        cols: u16,
        /// Rows to draw it at.
        rows: u16,
        /// How much it holds.
        scope: Scope,
        /// Why it comes.
        reason: SnapshotReason,
        /// Bytes of all parts together.
        bytes: u32,
        /// Which part this is, from 0 (JSON only).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        part: Option<u32>,
        /// Whether it is the last part (JSON only).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        last: Option<bool>,
        /// The part's text (JSON only).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        data: Option<String>,
    },
    /// Output (JSON only).
    Output {
        /// Where it ends.
        seq: Seq,
        /// The text; bytes that are not UTF-8 are U+FFFD, with `seq` still in bytes.
        data: String,
    },
    /// How the session is.
    Status {
        /// Running, exited or lost.
        state: SessionState,
        /// How it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        exit: Option<Exit>,
        /// Whether what it prints is being kept.
        recording: Recording,
    },
    /// Who types, from now on.
    #[serde(rename_all = "camelCase")]
    Control {
        /// The holder; none when free.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        holder: Option<Holder>,
        /// The grant's number.
        epoch: u32,
        /// How long it lasts from now without renewal, in milliseconds.
        #[ts(type = "number")]
        until_ms: u64,
        /// Whether that is this viewer.
        you: bool,
        /// Who has asked for it, while somebody has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        requested_by: Option<String>,
    },
    /// Who watches.
    Viewers {
        /// Everybody attached, in order of arrival.
        viewers: Vec<ViewerInfo>,
    },
    /// The PTY has a new size, from `seq` on.
    Resized {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// Who did it.
        by: String,
        /// The offset from which output is laid out for it.
        seq: Seq,
    },
    /// This viewer fell behind and will be shown the screen as it is.
    #[serde(rename_all = "camelCase")]
    Lag {
        /// How far it is behind.
        #[ts(type = "number")]
        behind_bytes: u64,
        /// How much it will not be sent.
        #[ts(type = "number")]
        skipped_bytes: u64,
    },
    /// A stretch of output that nobody can send any more.
    Gap {
        /// Its first byte.
        from: Seq,
        /// One past its last byte.
        to: Seq,
        /// Why it is gone.
        why: String,
    },
    /// Every input up to `id` has reached the PTY whole. Cumulative.
    InputAck {
        /// The id.
        #[ts(type = "number")]
        id: u64,
    },
    /// An input or act was refused: nothing of it was applied, unless the code says `dropped`.
    Refused {
        /// The input's id, if it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        id: Option<u64>,
        /// Why.
        code: ErrorCode,
        /// Who holds the lease, for `held_by`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        holder: Option<String>,
    },
    /// Which keys, paste marks and mouse reports the program has asked for.
    Modes(Modes),
    /// The program wants attention.
    Notify {
        /// What it says, plain text.
        text: String,
    },
    /// Something this client did was wrong.
    Error {
        /// For programs.
        code: ErrorCode,
        /// For people.
        message: String,
        /// Whether the socket closes now.
        fatal: bool,
    },
    /// The answer to `ping`.
    Pong {
        /// As it came.
        t: f64,
    },
    /// The pane runs another session now; its output begins at 0.
    SessionReplaced {
        /// The session.
        session: SessionId,
        /// The number that acks must name from now on.
        stream: u32,
    },
}

/// How much a snapshot holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Both screens and the modes, without history.
    Screen,
    /// History too.
    Full,
    /// No screen at all: the last stretch of output, to be played after a reset.
    Replay,
}

/// Why a snapshot comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotReason {
    /// The viewer is new, or asked for an offset that cannot be continued.
    Attach,
    /// The viewer fell behind.
    Lag,
    /// A resize lies between what the viewer has and now.
    Resize,
    /// The viewer asked for it.
    Resync,
    /// The session ended earlier: this is what was stored of it, redacted.
    Stored,
}

/// The numbers a viewer keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadyLimits {
    /// Most UTF-16 units in one input.
    pub input_units: u32,
    /// Most columns.
    pub cols: u16,
    /// Most rows.
    pub rows: u16,
}

/// Who may type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The viewer that holds the lease.
    pub viewer: ViewerId,
    /// The caller's name, for people.
    pub name: String,
    /// Person, agent or guest.
    pub kind: CallerKind,
}

/// What kind of caller somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallerKind {
    /// Somebody signed in.
    Person,
    /// A program with a token.
    Agent,
    /// Somebody with a share link.
    Guest,
}

/// One of those who watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewerInfo {
    /// The viewer.
    pub viewer: ViewerId,
    /// The caller's name, for people.
    pub name: String,
    /// Person, agent or guest.
    pub kind: CallerKind,
    /// Whether it may only watch.
    pub read_only: bool,
    /// Whether its pane can be seen.
    pub visible: bool,
    /// Whether it is this viewer.
    pub you: bool,
}

/// How a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Its row is written, its program not yet started.
    Starting,
    /// Its program runs.
    Running,
    /// Its program ended.
    Exited,
    /// It ended with its host: how is not known.
    Lost,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Whether output is being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recording {
    /// Everything is, or will be.
    On,
    /// Somebody turned it off for this pane.
    Off,
    /// The store is behind or gone; nothing is lost yet.
    Behind,
    /// The store is gone and there was no more room: there is a gap.
    Gap,
}

/// What the program has asked of the terminal, as far as keys and mouse go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Modes {
    /// The kitty keyboard flags in force; 0 for none.
    pub kitty: u8,
    /// Bracketed paste (mode 2004).
    pub paste: bool,
    /// Any mouse mode.
    pub mouse: bool,
    /// The alternate screen.
    pub alt_screen: bool,
    /// Application cursor keys (mode 1).
    pub app_cursor: bool,
}
