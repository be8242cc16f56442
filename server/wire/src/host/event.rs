//! What happens in a host without being asked.

use serde::{Deserialize, Serialize};

use super::{LeaseFacts, Mark};
use crate::browser::{Exit, Modes, Recording};
use crate::{ErrorCode, Seq, SessionId, ViewerId};

/// What happens in a host without being asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum HostEvent {
    /// A mark, in order with the output of its session.
    Mark {
        /// Which session.
        session: SessionId,
        /// The mark.
        mark: Mark,
    },
    /// The program has ended and all its output has been sent.
    Exited {
        /// Which session.
        session: SessionId,
        /// How.
        exit: Exit,
        /// Where its output ends.
        seq: Seq,
    },
    /// Output the connection was not sent because the hub had not taken what came before.
    Skip {
        /// Which session.
        session: SessionId,
        /// Its first byte.
        from: Seq,
        /// One past its last byte.
        to: Seq,
    },
    /// The lease changed.
    Lease {
        /// Which session.
        session: SessionId,
        /// How it is now.
        lease: LeaseFacts,
    },
    /// Input reached the PTY whole, up to this id of that viewer.
    InputAck {
        /// Which session.
        session: SessionId,
        /// Whose.
        viewer: ViewerId,
        /// Which.
        id: u64,
    },
    /// Input was refused.
    Refused {
        /// Which session.
        session: SessionId,
        /// Whose.
        viewer: ViewerId,
        /// Which, if it had an id.
        id: Option<u64>,
        /// Why.
        code: ErrorCode,
        /// Who holds the lease, for `held_by`.
        holder: Option<String>,
    },
    /// Keys, paste marks or mouse reports that the program asked for have changed.
    Modes {
        /// Which session.
        session: SessionId,
        /// What is asked now.
        modes: Modes,
    },
    /// The title changed.
    Title {
        /// Which session.
        session: SessionId,
        /// Plain text, at most 256 characters.
        title: String,
    },
    /// Whether everything is being kept.
    Recording {
        /// Which session.
        session: SessionId,
        /// How it stands.
        recording: Recording,
    },
    /// Anything this build does not know.
    #[serde(other)]
    Unknown,
}
