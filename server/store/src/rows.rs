//! What the store takes and gives back.
//!
//! Times are milliseconds since 1970 from the caller's clock; the store has none of its own.

use wire::browser::{Exit, SessionState};
use wire::host::Mark;
use wire::http::LayoutNode;
use wire::{CallerId, HostId, PaneId, RoomId, Seq, SessionId, SigninId, StoreId};

/// The SHA-256 of a token. The token itself never reaches the store.
pub type TokenHash = [u8; 32];

/// Ids for a store that is still empty; one that is not keeps its own.
#[derive(Clone, Copy, Debug)]
pub struct Fresh {
    /// Names the store.
    pub store: StoreId,
    /// Names its owner.
    pub owner: CallerId,
    /// When it is made.
    pub now_ms: i64,
}

/// Somebody who may sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub id: CallerId,
    /// Their name.
    pub name: String,
    /// Whether they own this workspace.
    pub owner: bool,
}

/// A sign-in: what a cookie stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signin {
    /// Which.
    pub id: SigninId,
    /// Whose.
    pub person: Person,
    /// When it began.
    pub created_ms: i64,
    /// When it was last used, as far as `touch_signin` was told.
    pub seen_ms: i64,
}

/// A sign-in to begin.
#[derive(Clone, Copy, Debug)]
pub struct NewSignin {
    /// Its id.
    pub id: SigninId,
    /// The hash of its cookie's token.
    pub hash: TokenHash,
    /// When it begins.
    pub now_ms: i64,
}

/// A room to make.
#[derive(Clone, Debug)]
pub struct NewRoom {
    /// Its id.
    pub id: RoomId,
    /// Its name.
    pub name: String,
    /// Where its panes start.
    pub folder: String,
    /// How many rooms there may be, at most 16: the first free slot below it is taken.
    pub max_rooms: u8,
    /// When it is made.
    pub now_ms: i64,
}

/// Changes to a room. What is none stays.
#[derive(Clone, Debug, Default)]
pub struct RoomPatch {
    /// A new name.
    pub name: Option<String>,
    /// A new folder.
    pub folder: Option<String>,
    /// A new arrangement, and the version it was made on.
    pub layout: Option<(LayoutNode, i32)>,
    /// A new place among the rooms: the others make way.
    pub slot: Option<i16>,
}

/// A pane to make.
#[derive(Clone, Debug)]
pub struct NewPane {
    /// Its id.
    pub id: PaneId,
    /// Its room: the first free slot is taken.
    pub room: RoomId,
    /// Its name.
    pub name: String,
    /// The profile it runs.
    pub profile: String,
    /// The command, when it is not the profile's own.
    pub command: Option<String>,
    /// The command's arguments.
    pub args: Vec<String>,
    /// Where it starts.
    pub cwd: String,
    /// When it is made.
    pub now_ms: i64,
}

/// A pane with the session it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Pane {
    /// The pane.
    pub id: PaneId,
    /// Its room.
    pub room: RoomId,
    /// Its place in the room, 0 to 15.
    pub slot: i16,
    /// Its name.
    pub name: String,
    /// The profile it runs.
    pub profile: String,
    /// The command, when it is not the profile's own.
    pub command: Option<String>,
    /// The command's arguments.
    pub args: Vec<String>,
    /// Where it starts.
    pub cwd: String,
    /// The session it shows; none before its first start.
    pub session: Option<Session>,
}

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

/// The right to record a session, and where its record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// How far it is recorded.
    pub durable: Seq,
    /// The last mark that is recorded.
    pub mark: u64,
    /// Names this grant: a batch under an older one is refused.
    pub epoch: i32,
    /// What kind of string or key block `durable` lies in, as the redactor wrote it.
    pub redact_state: u8,
}

/// A row of the record: a stretch of output, redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where it begins, before redaction.
    pub from: Seq,
    /// Where it ends, before redaction. After `from`.
    pub to: Seq,
    /// When it was printed.
    pub at_ms: i64,
    /// The redacted bytes: as many as the span has, or fewer, or a few more.
    pub bytes: Vec<u8>,
}

/// A stretch that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it begins.
    pub from: Seq,
    /// Where it ends; none when nobody knows (the session was lost with its host).
    pub to: Option<Seq>,
    /// When it was noticed.
    pub at_ms: i64,
    /// Why, for people.
    pub why: String,
}

/// Rows and gaps in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Recorded output.
    Row(Row),
    /// A hole in the record.
    Gap(Gap),
}

impl Item {
    /// Where it begins.
    pub fn from(&self) -> Seq {
        match self {
            Self::Row(row) => row.from,
            Self::Gap(gap) => gap.from,
        }
    }

    /// Where it ends; none for a gap whose end nobody knows.
    pub fn to(&self) -> Option<Seq> {
        match self {
            Self::Row(row) => Some(row.to),
            Self::Gap(gap) => gap.to,
        }
    }
}

/// A page of the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Rows and gaps, tiling from the first one's start. The first may begin before what was
    /// asked for, since rows are given whole.
    pub items: Vec<Item>,
    /// The offset to ask for next; none at the end of what was asked for.
    pub next: Option<Seq>,
    /// How far the session is recorded.
    pub durable: Seq,
}

/// What a recorder appends to one session's record, all of it or nothing.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Which session.
    pub session: SessionId,
    /// The recorder's grant.
    pub epoch: i32,
    /// Where the record must end now.
    pub from: Seq,
    /// Where it will end. Equal to `from` when there are only marks.
    pub to: Seq,
    /// The last mark that must be recorded now.
    pub after_mark: u64,
    /// The last one that will be.
    pub mark: u64,
    /// The redactor's state at `to`.
    pub redact_state: u8,
    /// Rows and gaps that tile `from..to`.
    pub items: Vec<Item>,
    /// Marks after `after_mark` up to `mark`.
    pub marks: Vec<Mark>,
}

impl Batch {
    /// Bytes of its rows.
    pub fn bytes(&self) -> usize {
        self.rows().map(|row| row.bytes.len()).sum()
    }

    /// Its rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(row) => Some(row),
            Item::Gap(_) => None,
        })
    }

    /// Its gaps, in order.
    pub fn gaps(&self) -> impl Iterator<Item = &Gap> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(_) => None,
            Item::Gap(gap) => Some(gap),
        })
    }

    /// Where its items do not tile `from..to` or its marks do not count on.
    pub(crate) fn torn_at(&self) -> Option<Seq> {
        let mut end = self.from;
        for item in &self.items {
            match item.to() {
                Some(to) if item.from() == end && to > end => end = to,
                Some(_) | None => return Some(end),
            }
        }
        let mut mark = self.after_mark;
        for next in &self.marks {
            if next.n <= mark {
                return Some(next.seq);
            }
            mark = next.n;
        }
        (end != self.to || mark != self.mark).then_some(end)
    }
}
