//! Rooms, panes, folders.

use futures_util::future::join_all;
use store::{RoomPatch, Store, StoreError};
use wire::http::{Folder, LayoutNode};
use wire::{FolderId, RoomId};

use crate::support::{NOW_MS, Place, new_pane, new_room, new_session, random};

pub(crate) async fn sixty_four_parallel_panes_are_sixteen(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("busy")).await.unwrap();
    let tries = join_all((0..64).map(|_| {
        let (store, new) = (store.clone(), new_pane(&room));
        tokio::spawn(async move { store.create_pane(&new).await })
    }))
    .await;
    let mut slots = Vec::new();
    for result in tries {
        match result.unwrap() {
            Ok(pane) => slots.push(pane.slot),
            Err(error) => assert!(matches!(error, StoreError::Full), "{error:?}"),
        }
    }
    slots.sort_unstable();
    assert_eq!(slots, (0..16).collect::<Vec<_>>());
    assert_eq!(store.panes(room.id).await.unwrap().len(), 16);
}

pub(crate) async fn a_closed_pane_gives_its_slot_to_the_next(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let mut panes = Vec::new();
    for _ in 0..3 {
        panes.push(store.create_pane(&new_pane(&room)).await.unwrap());
    }
    store.delete_pane(panes[1].id).await.unwrap();
    assert_eq!(store.create_pane(&new_pane(&room)).await.unwrap().slot, 1);
    let gone = store.delete_pane(panes[1].id).await.unwrap_err();
    assert!(matches!(gone, StoreError::NotFound("pane")), "{gone:?}");

    let known = store.pane(panes[0].id).await.unwrap();
    assert_eq!(known, panes[0]);
    assert_eq!(known.args, ["test", "--", "a b"]);
    let renamed = store.rename_pane(panes[0].id, "umbenannt \u{1f3e0}".to_owned()).await.unwrap();
    assert_eq!(renamed.name, "umbenannt \u{1f3e0}");
}

pub(crate) async fn parallel_rooms_stop_at_the_limit(place: &Place) {
    let store = place.open().await;
    let tries = join_all((0..20).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.create_room(&new_room("room")).await })
    }))
    .await;
    let made = tries.into_iter().filter(|result| matches!(result, Ok(Ok(_)))).count();
    assert_eq!(made, 6);
    let full = store.create_room(&new_room("one more")).await.unwrap_err();
    assert!(matches!(full, StoreError::Full), "{full:?}");
    let mut sixteen = new_room("a larger house");
    sixteen.max_rooms = 16;
    assert_eq!(store.create_room(&sixteen).await.unwrap().slot, 6);
}

pub(crate) async fn a_moved_room_makes_the_others_make_way(place: &Place) {
    let store = place.open().await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d"] {
        ids.push(store.create_room(&new_room(name)).await.unwrap().id);
    }
    let to = |slot| RoomPatch { slot: Some(slot), ..RoomPatch::default() };
    assert_eq!(store.patch_room(ids[0], to(2)).await.unwrap().slot, 2);
    assert_eq!(names(&store).await, ["b", "c", "a", "d"]);
    assert_eq!(store.patch_room(ids[3], to(0)).await.unwrap().slot, 0);
    assert_eq!(names(&store).await, ["d", "b", "c", "a"]);
    assert_eq!(store.patch_room(ids[3], to(0)).await.unwrap().slot, 0);
    assert_eq!(store.patch_room(ids[3], to(15)).await.unwrap().slot, 15);
    assert_eq!(names(&store).await, ["b", "c", "a", "d"]);

    // Many at once: whatever the order, nobody loses a place.
    join_all(ids.iter().copied().zip([3, 0, 1, 2]).map(|(id, slot)| {
        let store = store.clone();
        tokio::spawn(async move { store.patch_room(id, to(slot)).await.unwrap() })
    }))
    .await;
    let rooms = store.rooms().await.unwrap();
    let mut slots: Vec<_> = rooms.iter().map(|room| room.slot).collect();
    slots.dedup();
    assert_eq!(slots.len(), 4, "{slots:?}");
}

async fn names(store: &Store) -> Vec<String> {
    store.rooms().await.unwrap().into_iter().map(|room| room.name).collect()
}

pub(crate) async fn a_layout_made_on_an_old_version_is_stale(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let layout = LayoutNode::Pane { pane: pane.id };
    let patch = |version| RoomPatch {
        name: Some(format!("on {version}")),
        layout: Some((layout.clone(), version)),
        ..RoomPatch::default()
    };
    let changed = store.patch_room(room.id, patch(0)).await.unwrap();
    assert_eq!((changed.version, changed.layout), (1, Some(layout.clone())));
    let stale = store.patch_room(room.id, patch(0)).await.unwrap_err();
    assert!(matches!(stale, StoreError::Stale), "{stale:?}");
    assert_eq!(store.patch_room(room.id, patch(1)).await.unwrap().version, 2);
    let now = store.room(room.id).await.unwrap();
    assert_eq!(now.name, "on 1", "what was refused changed nothing");

    let nobody = store.patch_room(RoomId::from_random(random()), patch(0)).await.unwrap_err();
    assert!(matches!(nobody, StoreError::NotFound("room")), "{nobody:?}");
}

pub(crate) async fn a_pane_moves_with_its_session_and_a_full_room_takes_none(place: &Place) {
    let store = place.open().await;
    let one = store.create_room(&new_room("one")).await.unwrap();
    let two = store.create_room(&new_room("two")).await.unwrap();
    let pane = store.create_pane(&new_pane(&one)).await.unwrap();
    let session = store.insert_session(new_session(pane.id)).await.unwrap();
    store.create_pane(&new_pane(&two)).await.unwrap();
    let moved = store.move_pane(pane.id, two.id).await.unwrap();
    assert_eq!((moved.room, moved.slot), (two.id, 1));
    assert_eq!(moved.session.as_ref(), Some(&session));

    for _ in 2..16 {
        store.create_pane(&new_pane(&two)).await.unwrap();
    }
    let late = store.create_pane(&new_pane(&one)).await.unwrap();
    let full = store.move_pane(late.id, two.id).await.unwrap_err();
    assert!(matches!(full, StoreError::Full), "{full:?}");

    store.delete_room(two.id).await.unwrap();
    assert!(store.panes(two.id).await.unwrap().is_empty());
    assert_eq!(store.session(session.id).await.unwrap().pane, pane.id, "its record stays");
    let nowhere = store.create_pane(&new_pane(&two)).await.unwrap_err();
    assert!(matches!(nowhere, StoreError::NotFound("room")), "{nowhere:?}");
    let nowhere = store.move_pane(late.id, two.id).await.unwrap_err();
    assert!(matches!(nowhere, StoreError::NotFound("room")), "{nowhere:?}");
}

pub(crate) async fn folders_are_registered_once(place: &Place) {
    let store = place.open().await;
    let folder = |path: &str| Folder { id: FolderId::from_random(random()), path: path.to_owned() };
    let first = store.add_folder(folder("/srv/b"), NOW_MS).await.unwrap();
    let again = store.add_folder(folder("/srv/b"), NOW_MS).await.unwrap();
    assert_eq!(first, again);
    store.add_folder(folder("/srv/a"), NOW_MS).await.unwrap();
    let paths: Vec<_> = store.folders().await.unwrap().into_iter().map(|f| f.path).collect();
    assert_eq!(paths, ["/srv/a", "/srv/b"]);
    store.remove_folder(first.id).await.unwrap();
    let gone = store.remove_folder(first.id).await.unwrap_err();
    assert!(matches!(gone, StoreError::NotFound("folder")), "{gone:?}");
}
