//! The record over HTTP.

use std::sync::Arc;

use app::http::transcript;
use http::StatusCode;
use serde_json::json;
use store::{Batch, Gap, Item, NewPane, NewRoom, NewSession, Row};
use wire::browser::SessionState;
use wire::host::{Mark, MarkKind};
use wire::{ErrorCode, HostId, PaneId, RoomId, Seq, SessionId};

use crate::support::{Ask, Core};

async fn session(core: &Core) -> SessionId {
    let store = &core.app.store;
    let room = NewRoom {
        id: RoomId::from_random([3; 16]),
        name: "room".to_owned(),
        folder: "/".to_owned(),
        max_rooms: 6,
        now_ms: 0,
    };
    let room = store.create_room(&room).await.unwrap();
    let pane = NewPane {
        id: PaneId::from_random([4; 16]),
        room: room.id,
        name: "pane".to_owned(),
        profile: "shell".to_owned(),
        command: None,
        args: Vec::new(),
        cwd: "/".to_owned(),
        now_ms: 0,
    };
    let pane = store.create_pane(&pane).await.unwrap();
    let session = NewSession {
        id: SessionId::from_random([5; 16]),
        pane: pane.id,
        after: None,
        host: HostId::from_random([6; 16]),
        state: SessionState::Running,
        cols: 80,
        rows: 24,
        now_ms: 0,
    };
    store.insert_session(session).await.unwrap().id
}

fn row(from: u64, bytes: &[u8]) -> Item {
    let to = Seq(from).advance(u64::try_from(bytes.len()).unwrap());
    Item::Row(Row { from: Seq(from), to, at_ms: 7, bytes: bytes.to_vec() })
}

async fn append(core: &Core, session: SessionId, items: Vec<Item>, marks: Vec<Mark>) {
    let role = core.app.store.take_role(session).await.unwrap();
    let batch = Batch {
        session,
        epoch: role.epoch,
        from: role.durable,
        to: items.last().and_then(Item::to).unwrap(),
        after_mark: role.mark,
        mark: marks.last().map_or(role.mark, |mark| mark.n),
        redact_state: 0,
        items,
        marks,
    };
    core.app.store.append(Arc::new(batch)).await.unwrap();
}

#[tokio::test]
async fn the_record_is_told_with_its_gaps() {
    let core = Core::start().await;
    let (cookie, session) = (core.signin().await, session(&core).await);
    let gap = Gap { from: Seq(4), to: Some(Seq(9)), at_ms: 7, why: "the disk was full".to_owned() };
    let items = vec![row(0, b"ab\xff\n"), Item::Gap(gap), row(9, b"end")];
    append(&core, session, items, Vec::new()).await;

    let path = format!("/api/sessions/{session}/transcript");
    let all = core.send(Ask::get(&path).by(&cookie)).await;
    assert_eq!(all.status, StatusCode::OK);
    let expected = json!({ "session": session, "from": 0, "durable": 12, "items": [
        { "kind": "row", "from": 0, "to": 4, "atMs": 7, "data": "YWL/Cg==" },
        { "kind": "gap", "from": 4, "to": 9, "why": "the disk was full" },
        { "kind": "row", "from": 9, "to": 12, "atMs": 7, "data": "ZW5k" },
    ]});
    assert_eq!(all.json(), expected);

    let part = core.send(Ask::get(format!("{path}?from=5&to=9")).by(&cookie)).await.json();
    assert_eq!((&part["from"], part["items"].as_array().unwrap().len()), (&json!(4), 1));
    for (query, code) in [
        ("?from=9&to=5", ErrorCode::BadMessage),
        ("?from=-1", ErrorCode::BadMessage),
        ("?from=x", ErrorCode::BadMessage),
    ] {
        let refused = core.send(Ask::get(format!("{path}{query}")).by(&cookie)).await;
        assert_eq!(refused.code(), code, "{query}");
    }
    let far = core.send(Ask::get(format!("{path}?from={}", u64::MAX)).by(&cookie)).await.json();
    assert_eq!(far["items"], json!([]));
    let nobody = core.send(Ask::get(&path)).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let other = SessionId::from_random([9; 16]);
    let other = core.send(Ask::get(format!("/api/sessions/{other}/transcript")).by(&cookie)).await;
    assert_eq!(other.code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_long_record_comes_in_pages() {
    let core = Core::start().await;
    let (cookie, session) = (core.signin().await, session(&core).await);
    let block = vec![b'x'; 32 * 1024];
    let items = (0..80).map(|n| row(n * 32 * 1024, &block)).collect();
    append(&core, session, items, Vec::new()).await;
    let path = format!("/api/sessions/{session}/transcript");
    let (mut next, mut pages, mut rows) = (Some(0), 0, 0);
    while let Some(from) = next {
        let page = core.send(Ask::get(format!("{path}?from={from}")).by(&cookie)).await.json();
        assert_eq!(page["from"], json!(from));
        rows += page["items"].as_array().unwrap().len();
        next = page["next"].as_u64();
        pages += 1;
    }
    assert_eq!((pages, rows), (3, 80));
}

#[tokio::test]
async fn a_session_without_a_host_is_drawn_from_its_record() {
    let core = Core::start().await;
    let session = session(&core).await;
    let none = transcript::drawn(&core.app.store, session).await.unwrap();
    assert_eq!((none.seq, none.bytes.as_slice()), (Seq(0), &b""[..]));

    let start = Mark { n: 1, seq: Seq(0), at_ms: 1, kind: MarkKind::Start { cols: 90, rows: 20 } };
    append(&core, session, vec![row(0, b"$ ls\r\n")], vec![start]).await;
    let short = transcript::drawn(&core.app.store, session).await.unwrap();
    assert_eq!((short.cols, short.rows, short.seq), (90, 20, Seq(6)));
    assert_eq!(short.bytes, b"$ ls\r\n");

    let mut block = vec![b'x'; 32 * 1024];
    block[100] = b'\n';
    let items = (0..20).map(|n| row(6 + n * 32 * 1024, &block)).collect();
    append(&core, session, items, Vec::new()).await;
    let long = transcript::drawn(&core.app.store, session).await.unwrap();
    assert_eq!(long.bytes.len(), 8 * 32 * 1024 - 101, "from the start of a line");
    assert_eq!(long.seq, Seq(6 + 20 * 32 * 1024));
}
