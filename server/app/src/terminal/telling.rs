//! What a viewer is told: news of the session, compared with what it was told before, and what the
//! rules say to send, encoded.

use std::sync::Arc;
use std::time::Instant;

use pane::viewer::{Send, Source, Unsent, Viewer};
use wire::browser::{
    Holder, Modes, ReadyLimits, Scope, ServerMessage, SessionState, SnapshotReason,
};
use wire::{Seq, ViewerId, limits};

use crate::hub::frame::{Encoding, encode, text};
use crate::hub::hub::{Hub, State, Status, Watching};
use crate::hub::snapshot::Snapshot;

/// What one viewer was last told of its session.
#[derive(Debug, Default)]
pub(super) struct Told {
    status: Option<Status>,
    control: Option<(Option<Holder>, u32, Option<String>)>,
    modes: Option<Modes>,
    roll: Option<u64>,
    /// An end waits until the viewer has been sent all that came before it.
    owes_end: bool,
}

impl Told {
    /// Whether there is news that waits for output to be sent first.
    pub(super) fn owes_end(&self) -> bool {
        self.owes_end
    }

    /// Puts what is new into the viewer's mailbox. `has_all`: it has been sent all output, or will
    /// be sent none while it is hidden.
    pub(super) fn on_news(
        &mut self,
        watching: &Watching,
        me: ViewerId,
        has_all: bool,
        now: Instant,
    ) {
        let state = watching.hub().look();
        let mut slots = watching.mailbox().slots();
        let ended = state.status.state == SessionState::Exited;
        self.owes_end = ended && !has_all && self.status != Some(state.status);
        if self.status != Some(state.status) && !self.owes_end {
            self.status = Some(state.status);
            let Status { state, exit, recording } = state.status;
            slots.put(ServerMessage::Status { state, exit, recording });
        }
        let lease = &state.lease;
        let control = (lease.holder.clone(), lease.epoch, lease.requested_by.clone());
        if self.control.as_ref() != Some(&control) {
            self.control = Some(control);
            slots.put(control_message(&state, me, now));
        }
        if self.modes != Some(state.modes) {
            self.modes = Some(state.modes);
            slots.put(ServerMessage::Modes(state.modes));
        }
        if self.roll != Some(state.roll()) {
            self.roll = Some(state.roll());
            slots.put(ServerMessage::Viewers { viewers: state.watchers(watching.key()) });
        }
    }
}

fn control_message(state: &State, me: ViewerId, now: Instant) -> ServerMessage {
    let lease = &state.lease;
    let gone = now.saturating_duration_since(state.lease_at).as_millis();
    ServerMessage::Control {
        holder: lease.holder.clone(),
        epoch: lease.epoch,
        until_ms: lease.until_ms.saturating_sub(u64::try_from(gone).unwrap_or(u64::MAX)),
        you: lease.holder.as_ref().is_some_and(|holder| holder.viewer == me),
        requested_by: lease.requested_by.clone(),
    }
}

/// How one viewer is sent things.
#[derive(Debug)]
pub(super) struct Teller {
    pub(super) me: ViewerId,
    pub(super) read_only: bool,
    pub(super) encoding: Encoding,
    /// Whether its side takes compressed bodies.
    pub(super) deflate: bool,
    /// The snapshot that is being sent.
    drawing: Option<(Arc<Snapshot>, SnapshotReason)>,
}

/// What came of asking the rules.
pub(super) enum Next {
    /// Send these, if any, and ask again.
    Frames(Vec<ws::Frame>),
    /// The viewer has been greeted: news may follow.
    Greeted(ws::Frame),
    /// A ping that stands in the stream.
    Ping { seq: Seq, n: u32 },
    /// Ask the hub for a screen, then the rules again.
    Join(Scope),
    /// Nothing until something changes, or then. `behind`: there is more output than it may have.
    Nothing { until: Option<Instant>, behind: bool },
}

impl Teller {
    pub(super) fn new(me: ViewerId, read_only: bool, encoding: Encoding, deflate: bool) -> Self {
        Self { me, read_only, encoding, deflate, drawing: None }
    }

    /// A message, as text.
    pub(super) fn message(message: &ServerMessage) -> ws::Frame {
        ws::Frame::text(text(message))
    }

    /// Asks the rules what to send next, and encodes it.
    pub(super) fn next(&mut self, viewer: &mut Viewer, hub: &Hub, now: Instant) -> Next {
        // The tail before the sizes: see [`crate::hub::hub`].
        let tail = hub.tail().span();
        let frame = hub.tail().frame(viewer.sent());
        let state = hub.look();
        let source = Source {
            tail,
            unsent: frame.as_ref().map(|f| Unsent { end: f.end(), arrived: f.arrived() }),
            resizes: state.resizes(),
            snapshot: state.snapshot().map(|snapshot| snapshot.facts()),
        };
        match viewer.poll(&source, now) {
            Send::Nothing(until) => Next::Nothing { until, behind: viewer.sent() < tail.to },
            Send::Join(scope) => Next::Join(scope),
            Send::Ping { seq, n } => Next::Ping { seq, n },
            Send::Ready(seq) => {
                Next::Greeted(Self::message(&self.ready(viewer.stream(), seq, hub, &state)))
            }
            Send::Replaced(stream) => {
                self.drawing = None;
                let session = hub.session();
                Next::Greeted(Self::message(&ServerMessage::SessionReplaced { session, stream }))
            }
            Send::Resized(n) => {
                let size = state.size_of(n).unwrap_or(state.size());
                let (cols, rows, by) = (size.cols, size.rows, size.by.clone());
                let seq = viewer.sent();
                let resized = ServerMessage::Resized { cols, rows, by, seq };
                Next::Frames(vec![Self::message(&resized)])
            }
            Send::Output { from, end } => {
                // Encoding takes a while, and the hub waits for this lock.
                drop(state);
                let Some(frame) = frame else { return Next::Frames(Vec::new()) };
                if frame.from() == from && frame.end() == end {
                    return Next::Frames(vec![frame.body(self.encoding).frame(self.deflate)]);
                }
                let mut bytes = frame.after(from);
                bytes.truncate(usize::try_from(end.bytes_since(from)).unwrap_or(usize::MAX));
                Next::Frames(vec![encode(self.encoding, end, &bytes).frame(self.deflate)])
            }
            Send::Head { n, id: _, reason, lag } => {
                let mut frames = Vec::new();
                if let Some(lag) = lag {
                    frames.push(Self::message(&ServerMessage::Lag {
                        behind_bytes: lag.behind_bytes,
                        skipped_bytes: lag.skipped_bytes,
                    }));
                }
                // The state is still locked: it is the one the rules were shown.
                self.drawing = state.snapshot().map(|snapshot| (Arc::clone(snapshot), reason));
                if let Some((snapshot, reason)) = &self.drawing {
                    let head = snapshot.head(self.encoding, n, *reason);
                    frames.extend(head.map(|body| body.frame(self.deflate)));
                }
                Next::Frames(frames)
            }
            Send::Part { n, part, last } => {
                drop(state);
                let body = self
                    .drawing
                    .as_ref()
                    .and_then(|(snapshot, reason)| snapshot.part(self.encoding, n, *reason, part));
                if last {
                    self.drawing = None;
                }
                Next::Frames(body.map(|body| body.frame(self.deflate)).into_iter().collect())
            }
        }
    }

    fn ready(&self, stream: u32, seq: Seq, hub: &Hub, state: &State) -> ServerMessage {
        let holder = state.lease.holder.clone();
        let most = |limit: u64| u16::try_from(limit).unwrap_or(u16::MAX);
        ServerMessage::Ready {
            session: hub.session(),
            stream,
            seq,
            cols: state.size().cols,
            rows: state.size().rows,
            you: holder.as_ref().is_some_and(|holder| holder.viewer == self.me),
            holder,
            epoch: state.lease.epoch,
            read_only: self.read_only,
            limits: ReadyLimits {
                input_units: u32::try_from(limits::INPUT_MAX_UNITS).unwrap_or(u32::MAX),
                cols: most(limits::COLS_MAX),
                rows: most(limits::ROWS_MAX),
            },
        }
    }
}
