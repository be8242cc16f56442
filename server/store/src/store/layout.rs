//! Rooms, panes and folders.

use wire::http::{Folder, Room};
use wire::{FolderId, PaneId, RoomId};

use super::{Store, on};
use crate::error::StoreError;
use crate::rows::{NewPane, NewRoom, Pane, RoomPatch};

/// How often a slot is tried for. Whoever loses one has seen another caller win it and there are
/// 16, so this many losses need panes to be closed and made again meanwhile.
const SLOT_TRIES: u32 = 64;

impl Store {
    /// Every room, by slot.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn rooms(&self) -> Result<Vec<Room>, StoreError> {
        on!(&self.0.database, read, rooms::list())
    }

    /// One room.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn room(&self, id: RoomId) -> Result<Room, StoreError> {
        on!(&self.0.database, read, rooms::get(id))
    }

    /// Makes a room in the first free slot.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] when there are `max_rooms`, [`StoreError::Busy`], [`StoreError::Down`].
    pub async fn create_room(&self, new: &NewRoom) -> Result<Room, StoreError> {
        for _ in 0..SLOT_TRIES {
            let new = new.clone();
            match on!(&self.0.database, write, rooms::create(&new)) {
                Err(StoreError::Busy) => {}
                result => return result,
            }
        }
        Err(StoreError::Busy)
    }

    /// Changes a room.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] when the layout was made on another version: nothing is changed.
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn patch_room(&self, id: RoomId, patch: RoomPatch) -> Result<Room, StoreError> {
        on!(&self.0.database, write, rooms::patch(id, &patch))
    }

    /// Deletes a room and its panes. Ending their sessions is the caller's; their record stays.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn delete_room(&self, id: RoomId) -> Result<(), StoreError> {
        on!(&self.0.database, write, rooms::delete(id))
    }

    /// The panes of a room, by slot, with the sessions they show.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn panes(&self, room: RoomId) -> Result<Vec<Pane>, StoreError> {
        on!(&self.0.database, read, panes::list(room))
    }

    /// One pane with the session it shows.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn pane(&self, id: PaneId) -> Result<Pane, StoreError> {
        on!(&self.0.database, read, panes::get(id))
    }

    /// Makes a pane in the first free slot of its room.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] when the room holds 16, [`StoreError::NotFound`] without the room,
    /// [`StoreError::Busy`], [`StoreError::Down`].
    pub async fn create_pane(&self, new: &NewPane) -> Result<Pane, StoreError> {
        for _ in 0..SLOT_TRIES {
            let new = new.clone();
            match on!(&self.0.database, write, panes::create(&new)) {
                Err(StoreError::Busy) => {}
                result => return result,
            }
        }
        Err(StoreError::Busy)
    }

    /// Moves a pane to the first free slot of another room; its session goes on.
    ///
    /// # Errors
    ///
    /// As [`Store::create_pane`].
    pub async fn move_pane(&self, id: PaneId, room: RoomId) -> Result<Pane, StoreError> {
        for _ in 0..SLOT_TRIES {
            match on!(&self.0.database, write, panes::move_to(id, room)) {
                Err(StoreError::Busy) => {}
                result => return result,
            }
        }
        Err(StoreError::Busy)
    }

    /// Gives a pane another name.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn rename_pane(&self, id: PaneId, name: String) -> Result<Pane, StoreError> {
        on!(&self.0.database, write, panes::rename(id, &name))
    }

    /// Deletes a pane. Ending its session is the caller's; its record stays.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn delete_pane(&self, id: PaneId) -> Result<(), StoreError> {
        on!(&self.0.database, write, panes::delete(id))
    }

    /// Every folder in which panes may start, by path.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn folders(&self) -> Result<Vec<Folder>, StoreError> {
        on!(&self.0.database, read, folders::list())
    }

    /// Registers a folder by its canonical path; one that is registered keeps its id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn add_folder(&self, folder: Folder, now_ms: i64) -> Result<Folder, StoreError> {
        on!(&self.0.database, write, folders::add(&folder, now_ms))
    }

    /// Forgets a folder.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], [`StoreError::Down`].
    pub async fn remove_folder(&self, id: FolderId) -> Result<(), StoreError> {
        on!(&self.0.database, write, folders::remove(id))
    }
}
