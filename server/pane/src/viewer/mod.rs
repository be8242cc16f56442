//! What one viewer is sent next.
//!
//! A viewer follows the hub's tail inside its window, byte for byte. One that falls behind is
//! never waited for and never sent a backlog: it is sent a *frame*, the screen as it is, and the
//! next only when it has drawn that one. Attaching, coming back, a resize in what is unsent and a
//! lag all go the same way.
//!
//! [`Viewer::poll`] decides *and* counts what it answers as sent; the driver sends it. There is no
//! queue in here: what is unsent is a position in the shared tail.

mod send;

use std::time::{Duration, Instant};

use wire::browser::{Scope, SnapshotReason};
use wire::{Seq, Span, limits};

use crate::credit::{AckPastSent, Credit};

/// A backlog of so much ...
pub const LAG_BYTES: u64 = 64 * 1024;
/// ... whose oldest byte is so old is a lag; so is any backlog past the tail.
pub const LAG_AGE: Duration = Duration::from_millis(500);
/// Between two frames: ten a second are a picture, more are a waste.
pub const FRAME_EVERY: Duration = Duration::from_millis(100);
/// A viewer that does not acknowledge is pinged after so much.
const PING_EVERY_BYTES: u64 = 32 * 1024;

/// One viewer of one session.
#[derive(Debug)]
pub struct Viewer {
    /// Counts the sessions this socket has shown; acknowledgements of others are ignored.
    stream: u32,
    credit: Credit,
    phase: Phase,
    /// The last resize the viewer was told, by its number.
    told: u64,
    hidden: bool,
    acks: Acks,
    /// Snapshots sent or begun, which numbers them.
    snapshots: u32,
    /// The last snapshot that was sent whole.
    shown: Option<Shown>,
    /// When the last snapshot was begun.
    framed_at: Option<Instant>,
    /// Since when the viewer could have been following: it does not lag before it had a chance.
    since: Instant,
    /// Output it has not been sent and never will be, since it attached.
    skipped_bytes: u64,
}

/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Attached and told nothing yet; it has everything before the offset, if one is given.
    New { has: Option<Seq> },
    /// The pane runs another session, of which it knows nothing yet.
    Replaced,
    /// Follows the tail.
    Live,
    /// Needs a snapshot.
    Wants { scope: Scope, reason: SnapshotReason, asked: Option<Asked> },
    /// Is being sent one.
    Drawing { snapshot: Snapshot, reason: SnapshotReason, part: u32 },
}

/// A snapshot was asked for when `newest` was the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    newest: Option<u64>,
}

/// How the viewer's progress is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acks {
    /// It says so.
    Said,
    /// By the pong of a ping that stands in the stream; the last one was sent at `pinged`.
    Pongs { pinged: Seq, snapshot: u32 },
}

/// A snapshot the viewer has.
#[derive(Clone, Copy, Debug)]
struct Shown {
    n: u32,
    seq: Seq,
    scope: Scope,
    reason: SnapshotReason,
    /// What had been sent before it: an acknowledgement past that is of the snapshot.
    before: Seq,
    parsed: bool,
}

/// A change of size in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resize {
    /// Counts the session's sizes from 1, the first being the one it started with.
    pub n: u64,
    /// From where output is laid out for it.
    pub seq: Seq,
}

/// A snapshot that can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Names it; a later one has a higher id.
    pub id: u64,
    /// Where it stands.
    pub seq: Seq,
    /// What it holds.
    pub scope: Scope,
    /// The number of the size it is drawn at.
    pub resize: u64,
    /// In how many parts it is sent; at least one.
    pub parts: u32,
}

/// The first output that this viewer has not been sent.
#[derive(Clone, Copy, Debug)]
pub struct Unsent {
    /// Where the frame that holds it ends.
    pub end: Seq,
    /// When it reached the hub.
    pub arrived: Instant,
}

/// What the hub has.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The output that can be sent.
    pub tail: Span,
    /// The frame at [`Viewer::sent`], if the tail has it.
    pub unsent: Option<Unsent>,
    /// The last sizes in order, the newest last. Never empty.
    pub resizes: &'a [Resize],
    /// The newest snapshot.
    pub snapshot: Option<Snapshot>,
}

/// What to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Send {
    /// Nothing, until something changes or the instant has come.
    Nothing(Option<Instant>),
    /// `ready`: output begins at this offset unless a snapshot comes first.
    Ready(Seq),
    /// `session_replaced`, with the stream's number.
    Replaced(u32),
    /// `resized`, to the size with this number.
    Resized(u64),
    /// The output from `from` to `end`, which lies in one frame of the tail.
    Output {
        /// The first byte.
        from: Seq,
        /// One past the last.
        end: Seq,
    },
    /// The head of a snapshot; before it `lag`, if the viewer fell behind.
    Head {
        /// Its number for this viewer.
        n: u32,
        /// Which it is.
        id: u64,
        /// Why it comes.
        reason: SnapshotReason,
        /// What it is told of a lag.
        lag: Option<Lag>,
    },
    /// A part of the snapshot that was begun last.
    Part {
        /// The snapshot's number for this viewer.
        n: u32,
        /// Which part, from 0.
        part: u32,
        /// Whether it is the last.
        last: bool,
    },
    /// A ping whose pong acknowledges this offset and snapshot.
    Ping {
        /// The offset.
        seq: Seq,
        /// The snapshot.
        n: u32,
    },
    /// Nothing to the viewer: ask the hub for a snapshot, then go on.
    Join(Scope),
}

/// What a viewer that fell behind is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// How far it is behind.
    pub behind_bytes: u64,
    /// How much it will not be sent.
    pub skipped_bytes: u64,
}

impl Viewer {
    /// A viewer that has everything before `has`, or nothing.
    pub fn new(has: Option<Seq>, now: Instant) -> Self {
        Self {
            stream: 1,
            credit: Credit::new(has.unwrap_or(Seq::ZERO)),
            phase: Phase::New { has },
            told: 0,
            hidden: false,
            acks: Acks::Said,
            snapshots: 0,
            shown: None,
            framed_at: None,
            since: now,
            skipped_bytes: 0,
        }
    }

    /// It does not acknowledge what it parses: pings measure it.
    #[must_use]
    pub fn without_acks(mut self) -> Self {
        self.acks = Acks::Pongs { pinged: self.credit.sent(), snapshot: 0 };
        self
    }

    /// Where the output begins that it has not been sent.
    pub fn sent(&self) -> Seq {
        self.credit.sent()
    }

    /// Where the output begins that it has not parsed.
    pub fn parsed(&self) -> Seq {
        self.credit.parsed()
    }

    /// The number of the session it is shown.
    pub fn stream(&self) -> u32 {
        self.stream
    }

    /// Whether its pane cannot be seen.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Whether it is between the head and the last part of a snapshot, where only pongs may come.
    pub fn is_drawing(&self) -> bool {
        matches!(self.phase, Phase::Drawing { .. })
    }

    /// Whether it was sent what it has not parsed.
    pub fn has_unparsed(&self) -> bool {
        self.parsed() < self.sent() || self.shown.is_some_and(|shown| !shown.parsed)
    }

    /// Output it was not sent and never will be.
    pub fn skipped_bytes(&self) -> u64 {
        self.skipped_bytes
    }

    /// Its pane can be seen, or no longer.
    pub fn on_visible(&mut self, visible: bool) {
        self.hidden = !visible;
        self.credit.set_hidden(!visible);
    }

    /// It has parsed everything before `seq`, and the snapshot `n` if one is named.
    ///
    /// # Errors
    ///
    /// [`AckPastSent`] when it was sent neither: close it.
    pub fn on_ack(
        &mut self,
        stream: u32,
        seq: Seq,
        n: Option<u32>,
        now: Instant,
    ) -> Result<(), AckPastSent> {
        if stream != self.stream {
            return Ok(());
        }
        self.credit.on_ack(seq, now)?;
        if n.is_some_and(|n| n > self.snapshots) {
            return Err(AckPastSent { acked: seq, sent: self.sent() });
        }
        if let Some(shown) = &mut self.shown {
            shown.parsed |=
                n.is_some_and(|n| n >= shown.n) || (seq >= shown.seq && seq > shown.before);
        }
        Ok(())
    }

    /// It dropped output of its own accord and wants the screen anew.
    pub fn on_resync(&mut self) {
        match self.phase {
            Phase::New { .. } | Phase::Replaced => {}
            Phase::Live | Phase::Wants { .. } | Phase::Drawing { .. } => {
                self.shown = None;
                self.want(Scope::Screen, SnapshotReason::Resync);
            }
        }
    }

    /// The pane runs another session now; the next [`Source`] is of that one.
    pub fn on_replaced(&mut self, now: Instant) {
        self.phase = match self.phase {
            Phase::New { .. } => Phase::New { has: None },
            Phase::Replaced | Phase::Live | Phase::Wants { .. } | Phase::Drawing { .. } => {
                self.stream += 1;
                Phase::Replaced
            }
        };
        self.credit.restart(Seq::ZERO);
        self.told = 0;
        self.shown = None;
        self.since = now;
        if let Acks::Pongs { pinged, .. } = &mut self.acks {
            *pinged = Seq::ZERO;
        }
    }

    fn want(&mut self, scope: Scope, reason: SnapshotReason) {
        self.phase = Phase::Wants { scope, reason, asked: None };
    }

    /// How often a viewer without acknowledgements is pinged: twice a window.
    fn ping_every(&self) -> u64 {
        (self.credit.window_bytes() / 2).min(PING_EVERY_BYTES)
    }

    /// Most output that a viewer which has a fresh screen is sent after it.
    fn catch_up_bytes(&self) -> u64 {
        self.credit.window_bytes().max(limits::VIEWER_WINDOW_BYTES)
    }
}

#[cfg(test)]
mod tests;
