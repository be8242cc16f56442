//! What a host answers.

use serde::{Deserialize, Serialize};

use crate::browser::{Exit, Holder, Modes, Scope};
use crate::http::Profile;
use crate::{HostId, Seq, SessionId};

/// What a host answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To `hello`.
    Hello {
        /// The link version the host will speak.
        link: u32,
        /// Names of optional features.
        features: Vec<String>,
        /// The host's build.
        build: String,
        /// The host.
        host: HostId,
        /// Changes with every start of the host.
        boot: String,
    },
    /// To `list`.
    Sessions(Vec<SessionFacts>),
    /// To `inspect`, `spawn` and `resize`.
    Session(Box<SessionFacts>),
    /// To `attach`.
    Attached {
        /// Names the session in this connection's output frames.
        handle: u32,
        /// Where the output that follows begins: after a `Skip` if the ring no longer reaches back.
        from: Seq,
        /// The session as it stands at `from`.
        session: Box<SessionFacts>,
    },
    /// The head of a `join`; its bytes follow as bulk parts.
    Join(JoinHead),
    /// The head of a `read`; its bytes follow as bulk parts.
    Read {
        /// Where the bytes begin: later than asked for when there is a gap.
        from: Seq,
        /// Where they end.
        to: Seq,
        /// When the first of them was printed, in milliseconds since 1970.
        at_ms: u64,
        /// Marks up to `to`.
        marks: Vec<Mark>,
    },
    /// To `control`.
    Lease(LeaseFacts),
    /// To `profiles`.
    Profiles(Vec<Profile>),
    /// To `folder`.
    Folder {
        /// Its canonical path.
        path: String,
    },
    /// To `terminate`: what could not be ended, such as processes of another user.
    Terminated {
        /// Pids left over, each with its command.
        left_over: Vec<(u32, String)>,
    },
    /// To everything else.
    Done,
}

/// Where a join stands and how to draw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JoinHead {
    /// The offset at which it stands: exactly what this connection has been sent.
    pub seq: Seq,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// What it is: `replay` until the host has a terminal model.
    pub scope: Scope,
    /// For `replay`: where its bytes begin.
    pub from: Seq,
    /// Bytes in all parts.
    pub bytes: u32,
    /// The modes at that offset.
    pub modes: Modes,
}

/// Something in a session's stream that is no output, numbered from 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Its number.
    pub n: u64,
    /// Where it stands.
    pub seq: Seq,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// What it is.
    pub kind: MarkKind,
}

/// What a mark is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MarkKind {
    /// The program started.
    Start {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// The size changed.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// Who did it.
        by: String,
    },
    /// The program ended.
    Exit {
        /// How.
        exit: Exit,
    },
    /// Output that could not be kept for the recorder.
    Gap {
        /// Its first byte.
        from: Seq,
        /// One past its last byte.
        to: Seq,
        /// Why.
        why: String,
    },
}

/// The lease as everybody sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeaseFacts {
    /// Who holds it.
    pub holder: Option<Holder>,
    /// The number of the grant.
    pub epoch: u32,
    /// How long it lasts from now without renewal, in milliseconds.
    pub until_ms: u64,
    /// Who has asked for it, by name.
    pub requested_by: Option<String>,
}

/// A session as its host knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionFacts {
    /// The session.
    pub session: SessionId,
    /// Its profile.
    pub profile: String,
    /// Its command.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it started.
    pub cwd: String,
    /// The program's pid while it runs.
    pub pid: Option<u32>,
    /// How it ended.
    pub exit: Option<Exit>,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// When it started, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// The oldest output the ring has.
    pub ring_from: Seq,
    /// The end of its output.
    pub end: Seq,
    /// How far a recorder has stored it.
    pub durable: Seq,
    /// The last mark.
    pub mark: u64,
    /// The last offset at which its size changed.
    pub resized_at: Seq,
    /// Its title.
    pub title: Option<String>,
    /// The lease.
    pub lease: LeaseFacts,
    /// The modes.
    pub modes: Modes,
}
