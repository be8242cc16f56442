//! The record.

use std::sync::Arc;

use futures_util::future::join_all;
use store::{AppendError, Batch, Gap, Item, Role, Row, Store};
use wire::browser::Exit;
use wire::host::{Mark, MarkKind};
use wire::{Seq, SessionId};

use crate::support::{NOW_MS, Place, batch, running, text};

pub(crate) async fn rows_tile_under_crashes_lost_replies_and_two_recorders(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    let old = store.take_role(session).await.unwrap();
    assert_eq!((old.durable, old.mark, old.epoch), (Seq::ZERO, 0, 1));
    append(&store, Batch { redact_state: 3, ..batch(session, old, "one ") }).await.unwrap();

    // The reply was lost: the same again says where the record is.
    let moved = append(&store, batch(session, old, "one ")).await.unwrap_err();
    let AppendError::Moved { durable, mark, redact_state } = moved else { panic!("{moved:?}") };
    assert_eq!((durable, mark, redact_state), (Seq(4), 0, 3));
    let old = Role { durable, mark, redact_state, ..old };

    // The core crashed and another one took the role: it goes on where the record stands.
    let new = store.take_role(session).await.unwrap();
    assert_eq!((new.durable, new.redact_state, new.epoch), (Seq(4), 3, 2));

    // Both write the same stretch at once, sixteen times; one of them is heard.
    let tries =
        join_all((0..16).flat_map(|_| [(old, "OLD "), (new, "two ")]).map(|(role, text)| {
            let (store, batch) = (store.clone(), batch(session, role, text));
            tokio::spawn(async move { append(&store, batch).await })
        }))
        .await;
    let mut stored = 0;
    for (n, result) in tries.into_iter().enumerate() {
        match result.unwrap() {
            Ok(()) => stored += 1,
            Err(AppendError::Fenced) => assert_eq!(n % 2, 0, "the old recorder"),
            Err(AppendError::Moved { durable, .. }) => assert_eq!((n % 2, durable), (1, Seq(8))),
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(stored, 1);
    assert_eq!(text(&store, session).await, "one two ");
    assert_eq!(store.session(session).await.unwrap().durable, Seq(8));
}

pub(crate) async fn a_session_that_moved_takes_no_other_with_it(place: &Place) {
    let store = place.open().await;
    let mut sessions = Vec::new();
    for _ in 0..8 {
        let session = running(&store).await;
        sessions.push((session, store.take_role(session).await.unwrap()));
    }
    // Half of them are written by somebody else first.
    for (session, role) in sessions.iter().step_by(2) {
        append(&store, batch(*session, *role, "first")).await.unwrap();
    }
    let results = append_all(&store, sessions.iter().map(|(s, r)| batch(*s, *r, "mine"))).await;
    for (n, (result, (session, _))) in results.iter().zip(&sessions).enumerate() {
        let theirs = n % 2 == 0;
        assert_eq!(result.is_err(), theirs, "{result:?}");
        assert_eq!(text(&store, *session).await, if theirs { "first" } else { "mine" });
    }
}

pub(crate) async fn a_batch_that_spoils_the_statement_is_refused_alone(place: &Place) {
    let store = place.open().await;
    let mut batches = Vec::new();
    for _ in 0..4 {
        let session = running(&store).await;
        let role = store.take_role(session).await.unwrap();
        batches.push(batch(session, role, "fine"));
    }
    // An offset that no database can hold.
    let far = Seq(u64::MAX);
    batches[2].to = far;
    batches[2].items =
        vec![Item::Row(Row { from: Seq::ZERO, to: far, at_ms: NOW_MS, bytes: b"fine".to_vec() })];
    let sessions: Vec<SessionId> = batches.iter().map(|batch| batch.session).collect();
    let results = append_all(&store, batches).await;
    for (n, result) in results.iter().enumerate() {
        assert_eq!(result.is_err(), n == 2, "{result:?}");
    }
    assert_eq!(text(&store, sessions[1]).await, "fine");
    assert_eq!(text(&store, sessions[2]).await, "");
}

async fn append(store: &Store, batch: Batch) -> Result<(), AppendError> {
    store.append(Arc::new(batch)).await
}

async fn append_all(
    store: &Store,
    batches: impl IntoIterator<Item = Batch>,
) -> Vec<Result<(), AppendError>> {
    join_all(batches.into_iter().map(|batch| append(store, batch))).await
}

pub(crate) async fn a_torn_batch_is_not_tried(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    let role = store.take_role(session).await.unwrap();
    let row = |from, to| {
        Item::Row(Row { from: Seq(from), to: Seq(to), at_ms: NOW_MS, bytes: b"x".to_vec() })
    };
    for items in [
        vec![row(0, 2), row(3, 4)],
        vec![row(0, 3), row(2, 4)],
        vec![row(1, 4)],
        vec![row(0, 3)],
        vec![row(0, 0), row(0, 4)],
    ] {
        let torn = Batch { items, ..batch(session, role, "four") };
        let error = append(&store, torn).await.unwrap_err();
        assert!(matches!(error, AppendError::Torn { .. }), "{error:?}");
    }
    append(&store, batch(session, role, "four")).await.unwrap();
}

pub(crate) async fn pages_hold_rows_and_gaps_in_order(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    let role = store.take_role(session).await.unwrap();
    let row = |from, to, bytes: &[u8]| {
        Item::Row(Row { from: Seq(from), to: Seq(to), at_ms: NOW_MS, bytes: bytes.to_vec() })
    };
    let gap = |from, to| {
        let why = "the store was away".to_owned();
        Item::Gap(Gap { from: Seq(from), to: Some(Seq(to)), at_ms: NOW_MS, why })
    };
    // A row may hold fewer bytes than its span, or none, and any bytes at all.
    let items = vec![
        row(0, 10, b"0123456789"),
        gap(10, 30),
        row(30, 40, b"\0\xff\x1b[m"),
        row(40, 50, b""),
        gap(50, 60),
        row(60, 64, b"last"),
    ];
    let all = Batch { to: Seq(64), items: items.clone(), ..batch(session, role, "") };
    append(&store, all).await.unwrap();
    assert!(store.session(session).await.unwrap().has_gap);

    let page = |from, to, max| store.transcript(session, Seq(from), Seq(to), max);
    let whole = page(0, u64::MAX, 1000).await.unwrap();
    assert_eq!((&whole.items, whole.next, whole.durable), (&items, None, Seq(64)));
    assert_eq!(page(35, 45, 1000).await.unwrap().items, items[2..4]);
    assert_eq!(page(15, 45, 1000).await.unwrap().items, items[1..4]);
    assert_eq!(page(30, 30, 1000).await.unwrap().items, []);
    assert_eq!(page(64, 900, 1000).await.unwrap().items, []);
    assert_eq!(page(u64::MAX, u64::MAX, 1000).await.unwrap().items, []);
    assert_eq!(page(50, 20, 1000).await.unwrap().items, []);
    assert_eq!(page(55, u64::MAX, 1000).await.unwrap().items, items[4..]);

    // In pages of one byte, each holds one row and the gap before it or none.
    let mut at = Some(Seq::ZERO);
    let mut seen = Vec::new();
    while let Some(from) = at {
        let page = page(from.0, u64::MAX, 1).await.unwrap();
        seen.extend(page.items);
        at = page.next;
    }
    assert_eq!(seen, items);
}

pub(crate) async fn a_lost_session_ends_in_a_gap_without_end(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    let role = store.take_role(session).await.unwrap();
    append(&store, batch(session, role, "and then")).await.unwrap();
    store.set_lost(session, NOW_MS + 9).await.unwrap();
    let page = store.transcript(session, Seq::ZERO, Seq(u64::MAX), 1000).await.unwrap();
    let last = page.items.last().unwrap();
    assert_eq!((page.items.len(), last.from(), last.to()), (2, Seq(8), None));
}

pub(crate) async fn the_tail_is_the_last_rows(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    assert!(store.transcript_tail(session, 1000).await.unwrap().is_empty());
    let mut role = store.take_role(session).await.unwrap();
    for text in ["aaaa", "bbbb", "cccc"] {
        let batch = batch(session, role, text);
        role.durable = batch.to;
        append(&store, batch).await.unwrap();
    }
    for (max, rows) in [(1000, 3), (11, 2), (8, 2), (7, 1), (0, 1)] {
        let tail = store.transcript_tail(session, max).await.unwrap();
        assert_eq!(tail.len(), rows, "{max}");
        assert_eq!(tail.last().unwrap().bytes, b"cccc");
        assert_eq!(tail.first().unwrap().from, Seq(12 - 4 * u64::try_from(rows).unwrap()));
    }
}

pub(crate) async fn marks_come_back_as_they_went(place: &Place) {
    let store = place.open().await;
    let session = running(&store).await;
    let role = store.take_role(session).await.unwrap();
    let mark = |n, seq, kind| Mark { n, seq: Seq(seq), at_ms: 1_800_000_000_000, kind };
    let marks = vec![
        mark(1, 0, MarkKind::Start { cols: 120, rows: 32 }),
        mark(2, 2, MarkKind::Resize { cols: 80, rows: 24, by: "ann \"the\" owner".to_owned() }),
        mark(3, 4, MarkKind::Exit { exit: Exit::Code(3) }),
    ];
    let all = Batch { marks: marks.clone(), mark: 3, ..batch(session, role, "text") };
    append(&store, all.clone()).await.unwrap();
    assert_eq!(store.marks(session, 0, 100).await.unwrap(), marks);
    assert_eq!(store.marks(session, 1, 1).await.unwrap(), marks[1..2]);
    assert_eq!(store.last_size(session).await.unwrap(), Some((80, 24)));

    // Marks alone move the record too, and the same ones do not come twice.
    let again = append(&store, Batch { from: Seq(4), items: Vec::new(), ..all }).await.unwrap_err();
    assert!(matches!(again, AppendError::Moved { mark: 3, .. }), "{again:?}");
    let alone = Batch {
        from: Seq(4),
        to: Seq(4),
        after_mark: 3,
        mark: 4,
        items: Vec::new(),
        marks: vec![mark(4, 4, MarkKind::Resize { cols: 2, rows: 2, by: String::new() })],
        ..batch(session, role, "")
    };
    append(&store, alone).await.unwrap();
    assert_eq!(store.session(session).await.unwrap().mark, 4);
}
