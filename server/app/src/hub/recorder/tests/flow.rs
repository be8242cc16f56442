//! Where output and marks come from, and where they end up.

use super::*;

#[tokio::test]
async fn what_is_printed_is_recorded_once_and_in_order() {
    let world = World::new().await;
    let recorder = world.record();
    world.mark(&recorder, MarkKind::Start { cols: 80, rows: 24 });
    world.print("first line\r\n");
    recorded(&recorder, Seq(12)).await;
    world.print("second, longer line\r\n");
    world.print("and a third\r\n");
    recorded(&recorder, Seq(46)).await;
    assert_eq!(world.text().await, "first line\r\nsecond, longer line\r\nand a third\r\n");
    assert_eq!(world.host.held().reads, 0, "all of it came from the tail");
    assert_eq!(world.host.held().durable, Some((Seq(46), 1)));
    assert_eq!(*recorder.status().borrow(), Recording::On);
}

#[tokio::test]
async fn a_secret_never_reaches_the_store() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("export API_KEY=sk-ant-api03-");
    world.print("aaaaaaaaaaBBBBBBBBBB0123456789\r\ndone\r\n");
    recorded(&recorder, world.tail.span().to).await;
    let text = world.text().await;
    assert!(!text.contains("aaaaaaaaaa") && text.contains("done"), "{text}");
}

#[tokio::test]
async fn output_that_pauses_is_recorded_without_its_end() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("user@box:~$ ");
    recorded(&recorder, Seq(12)).await;
    assert_eq!(world.text().await, "user@box:~$ ");
}

#[tokio::test]
async fn a_recorder_that_fell_off_the_tail_reads_from_the_host() {
    let world = World::new().await;
    let lines: String = (0..60_000).map(|n| format!("line {n}\r\n")).collect();
    world.host.print(lines.as_bytes());
    world.tail.skip(seq(lines.len()));
    let recorder = world.record();
    world.print("and then live\r\n");
    recorded(&recorder, world.tail.span().to).await;
    assert_eq!(world.text().await, format!("{lines}and then live\r\n"));
    assert!(world.host.held().reads > 1);
}

#[tokio::test]
async fn marks_stand_where_they_stood() {
    let world = World::new().await;
    let recorder = world.record();
    world.mark(&recorder, MarkKind::Start { cols: 80, rows: 24 });
    world.print("wide\r\n");
    world.mark(&recorder, MarkKind::Resize { cols: 40, rows: 10, by: "ann".to_owned() });
    world.print("narrow\r\n");
    recorded(&recorder, Seq(14)).await;
    let marks = world.store.marks(world.session, 0, 100).await.unwrap();
    assert_eq!(marks, world.host.held().marks);
    let spans: Vec<_> = world.page().await.items.iter().map(Item::from).collect();
    assert_eq!(spans, [Seq(0), Seq(6)], "a row ends where the size changes");
}

#[tokio::test]
async fn marks_that_did_not_fit_are_read_from_the_host() {
    let world = World::new().await;
    let recorder = world.record();
    // Nobody else runs until this test waits: the recorder takes none of them meanwhile.
    for n in 0..3000_u16 {
        world.print("x");
        world.mark(&recorder, MarkKind::Resize { cols: 10 + n % 90, rows: 10, by: String::new() });
    }
    world.print("\r\n");
    recorded(&recorder, Seq(3002)).await;
    let marks = world.store.marks(world.session, 0, 5000).await.unwrap();
    assert_eq!(marks, world.host.held().marks);
    assert_eq!(world.text().await, format!("{}\r\n", "x".repeat(3000)));
}

#[tokio::test]
async fn the_end_is_noted_when_everything_is_stored() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("bye");
    world.mark(&recorder, MarkKind::Exit { exit: Exit::Code(3) });
    ended(recorder).await;
    assert_eq!(world.text().await, "bye");
    let session = world.store.session(world.session).await.unwrap();
    assert_eq!((session.state, session.exit), (SessionState::Exited, Some(Exit::Code(3))));
    assert_eq!(world.host.held().durable, Some((Seq(3), 1)));
}

#[tokio::test]
async fn what_the_host_no_longer_has_is_a_gap() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("kept\r\n");
    recorded(&recorder, Seq(6)).await;
    recorder.close().await;

    world.host.print(&[b'x'; 1000]);
    world.host.print(b"after\r\n");
    world.host.held().ring_from = 1006;
    world.tail.skip(Seq(1013));
    let recorder = world.record();
    // It stands where the gap ended for the host, which is not where the output was lost.
    let why = "the spool was full".to_owned();
    world.mark(&recorder, MarkKind::Gap { from: Seq(6), to: Seq(1006), why });
    recorded(&recorder, Seq(1013)).await;
    assert_eq!(world.text().await, "kept\r\n[the spool was full]after\r\n");
    assert_eq!(*recorder.status().borrow(), Recording::Gap);
    assert!(world.store.session(world.session).await.unwrap().has_gap);
}

#[tokio::test]
async fn a_hub_that_lets_go_has_its_tail_recorded() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("the last words, with no line break");
    recorder.close().await;
    assert_eq!(world.text().await, "the last words, with no line break");
}

#[tokio::test]
async fn a_host_that_goes_has_its_tail_recorded() {
    let world = World::new().await;
    let recorder = world.record();
    world.print("the last words\r\n");
    recorded(&recorder, Seq(16)).await;
    world.host.held().closed = true;
    world.print("more\r\n");
    world.tail.skip(Seq(900));
    ended(recorder).await;
    assert!(world.text().await.starts_with("the last words\r\n"));
}
