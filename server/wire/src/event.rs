//! What `/api/events` tells: changes to rooms and panes, to whoever keeps a list of them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::http::{Pane, Room};
use crate::{PaneId, RoomId};

/// One event with its place in the order of this core's events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventEnvelope {
    /// `boot:n`: the core's start and the event's number within it. Sent back as `?after=` (or
    /// `Last-Event-ID`), it continues there; an unknown boot answers [`Event::Reset`].
    pub id: String,
    /// What happened.
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// Earlier events cannot be continued: fetch everything again.
    Reset {},
    /// A room is new or has changed.
    Room {
        /// As it is now.
        room: Room,
    },
    /// A room was deleted, with its panes.
    RoomGone {
        /// Which.
        id: RoomId,
    },
    /// A pane is new or has changed, or its session has.
    Pane {
        /// As it is now.
        pane: Pane,
    },
    /// A pane was closed.
    PaneGone {
        /// Which.
        id: PaneId,
        /// Where it was.
        room: RoomId,
    },
    /// The pane host came or went.
    Host {
        /// Whether the core can reach it.
        up: bool,
    },
    /// Sign-ins changed: whoever is no longer signed in is told so and closed.
    SignedOut {},
}
