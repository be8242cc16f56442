//! Rooms and panes.

use wire::http::LayoutNode;
use wire::{PaneId, RoomId};

use super::Session;

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
