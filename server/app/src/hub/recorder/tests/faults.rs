//! Stores that fail, recorders that meet.

use super::*;

#[tokio::test]
async fn a_lost_reply_stores_nothing_twice() {
    let world = World::new().await;
    world.fail([Fault::LostReply]);
    let recorder = world.record();
    world.print("once\r\n");
    recorded(&recorder, Seq(6)).await;
    world.print("twice\r\n");
    recorded(&recorder, Seq(13)).await;
    assert_eq!(world.text().await, "once\r\ntwice\r\n");
}

#[tokio::test]
async fn a_store_that_was_down_is_caught_up_with() {
    let world = World::new().await;
    world.fail([Fault::Down; 3]);
    let recorder = world.record();
    let mut status = recorder.status();
    world.print("before\r\n");
    let behind = status.wait_for(|said| *said == Recording::Behind);
    tokio::time::timeout(PATIENCE, behind).await.unwrap().unwrap();
    world.print("meanwhile\r\n");
    said(&recorder, Recording::On).await;
    recorded(&recorder, Seq(19)).await;
    assert_eq!(world.text().await, "before\r\nmeanwhile\r\n");
}

#[tokio::test]
async fn while_the_store_is_down_little_is_kept_and_nothing_is_lost() {
    let world = World::new().await;
    world.fail([Fault::Down; 4]);
    let recorder = world.record();
    world.print("first\r\n");
    said(&recorder, Recording::Behind).await;
    // Far more than the recorder and the tail may keep: the rest waits in the host.
    let line = format!("{}\r\n", "l".repeat(998));
    for _ in 0..4000 {
        world.print(&line);
    }
    let end = world.tail.span().to;
    assert_eq!(world.host.held().durable, Some((Seq::ZERO, 0)));
    recorded(&recorder, end).await;
    assert_eq!(world.text().await, format!("first\r\n{}", line.repeat(4000)));
    assert!(world.host.held().reads > 0, "what left the tail came from the host");
}

#[tokio::test]
async fn of_two_recorders_the_older_one_ends() {
    let world = World::new().await;
    let old = world.record();
    world.print("one\r\n");
    recorded(&old, Seq(5)).await;
    let new = world.record();
    world.print("two\r\n");
    recorded(&new, Seq(10)).await;
    ended(old).await;
    world.print("three\r\n");
    recorded(&new, Seq(17)).await;
    assert_eq!(world.text().await, "one\r\ntwo\r\nthree\r\n");
}

#[tokio::test]
async fn a_record_that_stands_further_is_gone_on_from() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("one\r\n");
    recorded(&recorder, Seq(5)).await;
    // Somebody restored a store in which the role is the same and the record is longer.
    let standing = world.store.take_role(world.session).await.unwrap();
    world.print("two\r\n");
    let item =
        Item::Row(store::Row { from: Seq(5), to: Seq(10), at_ms: 1, bytes: b"two\r\n".to_vec() });
    let theirs = Batch {
        session: world.session,
        epoch: standing.epoch,
        from: Seq(5),
        to: Seq(10),
        after_mark: 0,
        mark: 0,
        redact_state: 0,
        items: vec![item],
        marks: Vec::new(),
    };
    // Whichever is first: the record holds it once, and the newest recorder goes on.
    let _either = world.store.append(Arc::new(theirs)).await;
    let newest = world.record();
    world.print("three\r\n");
    recorded(&newest, Seq(17)).await;
    assert_eq!(world.text().await, "one\r\ntwo\r\nthree\r\n");
    ended(recorder).await;
}

#[tokio::test]
async fn a_store_ahead_of_the_host_is_gone_on_from() {
    let world = World::new().await;
    let recorder = world.record();
    let lines: String = (0..20_000).map(|n| format!("line {n}\r\n")).collect();
    world.print(&lines);
    recorded(&recorder, seq(lines.len())).await;
    recorder.close().await;
    // The host has not heard of it and knows less than the store.
    world.host.held().knows_nothing = 1;
    let recorder = world.record();
    world.print("two\r\n");
    recorded(&recorder, world.tail.span().to).await;
    assert_eq!(world.text().await, format!("{lines}two\r\n"));
    assert_eq!(world.host.held().knows_nothing, 0, "it was asked");
}
