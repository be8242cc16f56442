//! Sessions.

use store::{NewSession, SessionNote, StoreError};
use wire::browser::{Exit, SessionState};

use crate::support::{NOW_MS, Place, new_pane, new_room, new_session};

pub(crate) async fn a_session_is_written_down_before_it_runs(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let session = store.insert_session(new_session(pane.id)).await.unwrap();
    assert_eq!(session.state, SessionState::Starting);
    assert_eq!((session.command.as_deref(), session.args.len()), (Some("cargo"), 3));
    assert_eq!(store.pane(pane.id).await.unwrap().session.as_ref(), Some(&session));
    assert_eq!(store.alive_sessions().await.unwrap(), std::slice::from_ref(&session));

    let note = SessionNote { size: Some((80, 24)), title: None };
    store.note_session(session.id, note).await.unwrap();
    let note = SessionNote { size: None, title: Some("vim".to_owned()) };
    store.note_session(session.id, note).await.unwrap();
    let noted = store.session(session.id).await.unwrap();
    assert_eq!((noted.cols, noted.rows, noted.title.as_deref()), (80, 24, Some("vim")));

    store.delete_pane(pane.id).await.unwrap();
    assert_eq!(store.session(session.id).await.unwrap(), noted, "it outlives its pane");
    let nowhere = store.insert_session(new_session(pane.id)).await.unwrap_err();
    assert!(matches!(nowhere, StoreError::NotFound("pane")), "{nowhere:?}");
}

pub(crate) async fn of_two_starts_of_one_pane_one_is_stale(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let tries = futures_util::future::join_all((0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.insert_session(new_session(pane.id)).await })
    }))
    .await;
    let mut started = Vec::new();
    for result in tries {
        match result.unwrap() {
            Ok(session) => started.push(session),
            Err(error) => assert!(matches!(error, StoreError::Stale), "{error:?}"),
        }
    }
    assert_eq!(started.len(), 1);
    let next = NewSession { after: Some(started[0].id), ..new_session(pane.id) };
    let next = store.insert_session(next).await.unwrap();
    let shown = store.pane(pane.id).await.unwrap().session;
    assert_eq!(shown.map(|session| session.id), Some(next.id));
    assert_eq!(store.sessions_of_pane(pane.id).await.unwrap().len(), 2);
}

pub(crate) async fn a_refused_start_leaves_no_trace(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let first = store.insert_session(new_session(pane.id)).await.unwrap();
    store.set_running(first.id).await.unwrap();
    let next = NewSession { after: Some(first.id), ..new_session(pane.id) };
    let refused = store.insert_session(next).await.unwrap();
    store.forget_session(refused.id, Some(first.id)).await.unwrap();
    let shown = store.pane(pane.id).await.unwrap().session;
    assert_eq!(shown.map(|session| session.id), Some(first.id));
    let running = store.forget_session(first.id, None).await.unwrap_err();
    assert!(matches!(running, StoreError::NotFound(_)), "{running:?}");
}

pub(crate) async fn states_only_go_forward(place: &Place) {
    let store = place.open().await;
    let room = store.create_room(&new_room("room")).await.unwrap();
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let id = store.insert_session(new_session(pane.id)).await.unwrap().id;
    store.set_running(id).await.unwrap();
    assert!(store.set_lost(id, NOW_MS + 1).await.unwrap());
    assert!(!store.set_lost(id, NOW_MS + 2).await.unwrap(), "it was lost already");
    store.set_running(id).await.unwrap();
    assert_eq!(store.session(id).await.unwrap().state, SessionState::Lost);

    store.set_exited(id, Exit::Signal(9), NOW_MS + 3).await.unwrap();
    store.set_exited(id, Exit::Code(0), NOW_MS + 4).await.unwrap();
    let ended = store.session(id).await.unwrap();
    assert_eq!(ended.state, SessionState::Exited);
    assert_eq!((ended.exit, ended.ended_ms), (Some(Exit::Signal(9)), Some(NOW_MS + 3)));
    assert!(store.alive_sessions().await.unwrap().is_empty());
}
