//! Sessions.

use wire::browser::{Exit, SessionState};
use wire::{HostId, PaneId, Seq, SessionId};

/// A session to write down, before its program is started or when it was found on a host.
#[derive(Clone, Copy, Debug)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The pane that will show it; what the pane runs is copied from there.
    pub pane: PaneId,
    /// The session the pane shows until now. Another one there means that somebody was faster.
    pub after: Option<SessionId>,
    /// The host that runs it.
    pub host: HostId,
    /// `Starting`, or `Running` for one that was found.
    pub state: SessionState,
    /// Columns of its PTY.
    pub cols: u16,
    /// Rows of its PTY.
    pub rows: u16,
    /// When it starts.
    pub now_ms: i64,
}

/// A session as the store knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The session.
    pub id: SessionId,
    /// The pane that showed it; it may be gone.
    pub pane: PaneId,
    /// The host that ran it.
    pub host: HostId,
    /// How it is.
    pub state: SessionState,
    /// How it ended.
    pub exit: Option<Exit>,
    /// The name of its pane when it started.
    pub name: String,
    /// The profile it ran.
    pub profile: String,
    /// The command, when it was not the profile's own.
    pub command: Option<String>,
    /// The command's arguments.
    pub args: Vec<String>,
    /// Where it started.
    pub cwd: String,
    /// Columns of its PTY, as last told.
    pub cols: u16,
    /// Rows of its PTY, as last told.
    pub rows: u16,
    /// Its title, as last told.
    pub title: Option<String>,
    /// When it started.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// How far it is recorded.
    pub durable: Seq,
    /// The last mark that is recorded.
    pub mark: u64,
    /// Whether a stretch of its output was not kept.
    pub has_gap: bool,
}

/// Facts about a running session that change. What is none stays.
#[derive(Clone, Debug, Default)]
pub struct SessionNote {
    /// Columns and rows.
    pub size: Option<(u16, u16)>,
    /// Its title.
    pub title: Option<String>,
}
