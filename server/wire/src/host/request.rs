//! What a core asks of a host.

use serde::{Deserialize, Serialize};

use crate::browser::{CallerKind, Paste, Scope};
use crate::{CallerId, Seq, SessionId, StoreId, ViewerId};

/// What a core asks of a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// The first request, and the only one before its reply.
    Hello(Hello),
    /// Every session the host has.
    List,
    /// One session.
    Inspect {
        /// Which.
        session: SessionId,
    },
    /// Starts a session. Again with the same id: answers as the first time.
    Spawn(Box<Spawn>),
    /// Sends output from `after_seq` and marks from `after_mark` on, live.
    Attach {
        /// Which session.
        session: SessionId,
        /// What the core has.
        after_seq: Seq,
        /// The last mark the core has.
        after_mark: u64,
    },
    /// Ends `attach`.
    Detach {
        /// Which session.
        session: SessionId,
    },
    /// A screen to join at, in order with the live output. Its bytes come as bulk parts.
    Join {
        /// Which session.
        session: SessionId,
        /// How much of it.
        scope: Scope,
    },
    /// Recorded bytes from ring or spool, with the marks of their span. Bytes come as bulk parts.
    Read {
        /// Which session.
        session: SessionId,
        /// From where.
        from: Seq,
        /// The last mark the reader has.
        after_mark: u64,
        /// Most bytes, at most [`crate::limits::READ_MAX_BYTES`].
        max_bytes: u32,
    },
    /// The hub has taken live output up to here. Not answered.
    Took {
        /// Which session.
        session: SessionId,
        /// How far.
        seq: Seq,
    },
    /// The recorder has stored everything up to here. Not answered.
    Durable {
        /// Which session.
        session: SessionId,
        /// How far.
        seq: Seq,
        /// The last mark stored.
        mark: u64,
    },
    /// Whether this session's output must be kept for a recorder.
    Recorder {
        /// Which session.
        session: SessionId,
        /// False: `record = "off"`, nothing waits for `durable`.
        on: bool,
    },
    /// The holder's viewer has parsed up to here; none: no hold.
    Hold {
        /// Which session.
        session: SessionId,
        /// How far.
        parsed: Option<Seq>,
    },
    /// Input. The bytes follow in an input frame (kind 4) with this as its head.
    Input(InputHead),
    /// Drops what is unwritten, closes an open bracket, then stops the foreground.
    Interrupt {
        /// Which session.
        session: SessionId,
        /// Who asks.
        by: By,
        /// Under which grant.
        epoch: u32,
    },
    /// A new size from the holder.
    Resize {
        /// Which session.
        session: SessionId,
        /// Who asks.
        by: By,
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// Pixels of a cell, width and height.
        cell: Option<(u16, u16)>,
    },
    /// The holder's colours.
    Theme {
        /// Which session.
        session: SessionId,
        /// Who says so.
        by: By,
        /// The colours.
        theme: Theme,
    },
    /// The lease.
    Control {
        /// Which session.
        session: SessionId,
        /// Who asks.
        by: By,
        /// For what.
        action: LeaseAction,
    },
    /// A signal to the foreground group.
    Signal {
        /// Which session.
        session: SessionId,
        /// Its number.
        signal: i32,
    },
    /// Ends the session: HUP, TERM, KILL, until no process of it is left. Answered when verified.
    Terminate {
        /// Which session.
        session: SessionId,
    },
    /// Forgets an exited session.
    Reap {
        /// Which session.
        session: SessionId,
    },
    /// What can be run on the host's machine.
    Profiles,
    /// Whether a path is a folder there, and its canonical form.
    Folder {
        /// An absolute path.
        path: String,
    },
    /// Are you there?
    Ping,
    /// Anything this build does not know.
    #[serde(other)]
    Unknown,
}

/// The first request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The link version the core speaks.
    pub link: u32,
    /// Names of optional features.
    pub features: Vec<String>,
    /// The core's build.
    pub build: String,
    /// The store it serves.
    pub store: StoreId,
    /// The link's secret, in hex.
    pub secret: String,
}

/// Who is behind an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    /// The caller.
    pub caller: CallerId,
    /// The viewer.
    pub viewer: ViewerId,
    /// The caller's name.
    pub name: String,
    /// Person, agent or guest.
    pub kind: CallerKind,
    /// Whether it may take the lease from others.
    pub owner: bool,
}

/// What is done with the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseAction {
    /// Take it if free.
    Acquire,
    /// Keep it.
    Renew,
    /// Let it go.
    Release,
    /// Take it from another tab of the same caller, or as owner.
    Take,
    /// Ask for it.
    Request,
    /// Give it to who asked.
    Give,
    /// The viewer's socket is gone: said by the core alone.
    Gone,
    /// The viewer is back: said by the core alone.
    Back,
}

/// Colours of a terminal, each `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theme {
    /// Foreground.
    pub fg: String,
    /// Background.
    pub bg: String,
    /// Cursor.
    pub cursor: String,
    /// The first 16 colours, or fewer.
    pub palette: Vec<String>,
}

/// A session to start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spawn {
    /// Its id, from the core's row.
    pub session: SessionId,
    /// A profile's name.
    pub profile: String,
    /// A command instead of the profile's own.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// An absolute path.
    pub cwd: String,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Pixels of a cell, width and height.
    pub cell: Option<(u16, u16)>,
    /// Colours for programs that ask in their first milliseconds.
    pub theme: Option<Theme>,
    /// Continue the CLI's own last conversation.
    pub resume: bool,
    /// Whether output must be kept for a recorder.
    pub record: bool,
    /// The session it replaces: its lease moves over, epoch + 1.
    pub after: Option<SessionId>,
    /// Extra environment.
    pub env: Vec<(String, String)>,
}

/// Input for a program; its bytes are the rest of the frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputHead {
    /// Which session.
    pub session: SessionId,
    /// Who types.
    pub by: By,
    /// Which part of a paste it is.
    pub paste: Option<Paste>,
    /// Under which grant; 0 takes a free lease.
    pub epoch: u32,
    /// How many refusals the viewer has seen.
    pub run: u32,
    /// The viewer's id for it, for acks; none for clients without.
    pub id: Option<u64>,
}
