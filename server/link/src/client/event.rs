//! What a session tells the core that is attached to it.

use bytes::Bytes;
use wire::browser::{Exit, Modes, Recording};
use wire::host::{HostEvent, JoinHead, LeaseFacts, Mark};
use wire::{ErrorBody, ErrorCode, Seq, SessionId, ViewerId};

/// What a session tells the core that is attached to it, in the order in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// It printed.
    Output {
        /// Where the bytes end.
        end: Seq,
        /// When the first of them was read, in milliseconds since 1970.
        at_ms: u64,
        /// The bytes.
        bytes: Bytes,
    },
    /// A mark.
    Mark(Mark),
    /// The program has ended and all its output has been sent.
    Exited {
        /// How.
        exit: Exit,
        /// Where its output ends.
        seq: Seq,
    },
    /// Output that is not sent because the hub had not taken what came before.
    Skip {
        /// Its first byte.
        from: Seq,
        /// One past its last byte.
        to: Seq,
    },
    /// The lease changed.
    Lease(LeaseFacts),
    /// Input reached the PTY whole, up to this id of that viewer.
    InputAck {
        /// Whose.
        viewer: ViewerId,
        /// Which.
        id: u64,
    },
    /// Input was refused.
    Refused {
        /// Whose.
        viewer: ViewerId,
        /// Which, if it had an id.
        id: Option<u64>,
        /// Why.
        code: ErrorCode,
        /// Who holds the lease, for `held_by`.
        holder: Option<String>,
    },
    /// What the program asks of the terminal has changed.
    Modes(Modes),
    /// The title changed.
    Title(String),
    /// Whether everything is being kept.
    Recording(Recording),
    /// The answer to a join: it stands exactly at the output before it.
    Join {
        /// Where it stands and how to draw it.
        head: JoinHead,
        /// Its bytes.
        bytes: Bytes,
    },
    /// A join that will not come.
    JoinFailed(ErrorBody),
    /// The link is closed. The last event.
    Closed,
}

impl SessionEvent {
    /// Which session an event is about, and what it says; none for one this build does not know.
    pub(super) fn from_wire(event: HostEvent) -> Option<(SessionId, Self)> {
        Some(match event {
            HostEvent::Mark { session, mark } => (session, Self::Mark(mark)),
            HostEvent::Exited { session, exit, seq } => (session, Self::Exited { exit, seq }),
            HostEvent::Skip { session, from, to } => (session, Self::Skip { from, to }),
            HostEvent::Lease { session, lease } => (session, Self::Lease(lease)),
            HostEvent::InputAck { session, viewer, id } => (session, Self::InputAck { viewer, id }),
            HostEvent::Refused { session, viewer, id, code, holder } => {
                (session, Self::Refused { viewer, id, code, holder })
            }
            HostEvent::Modes { session, modes } => (session, Self::Modes(modes)),
            HostEvent::Title { session, title } => (session, Self::Title(title)),
            HostEvent::Recording { session, recording } => (session, Self::Recording(recording)),
            HostEvent::Unknown => return None,
        })
    }
}
