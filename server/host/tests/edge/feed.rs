//! Cores follow, fall behind, read, join and come back.

use std::time::{Duration, Instant};

use bytes::Bytes;
use wire::browser::{Exit, Recording, Scope};
use wire::host::{JoinHead, MarkKind, Request};
use wire::{ErrorCode, Seq, limits};

use crate::support::{Core, Host, Session, recorded, sh};
use link::SessionEvent;

#[tokio::test]
async fn a_core_that_comes_back_continues_where_it_was() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session =
        core.run(recorded("stty -echo; echo one; read l; echo two; read l; echo three")).await;
    session.until("one\r\n").await;
    let (id, end) = (session.id, session.end);
    session.type_text("\n");
    session.until("two").await;
    drop(session);
    drop(core);
    let core = host.connect().await;
    let mut session = core.attach(id, end, 1).await;
    assert_eq!(session.attached.from, end);
    session.until("two\r\n").await;
    session.control(1, wire::host::LeaseAction::Back).await.unwrap();
    session.type_text("\n");
    assert_eq!(session.ended().await, Exit::Code(0));
    assert_eq!(session.text(), "three\r\n");
    let beyond = core.client.attach(id, Seq(1 << 40), 0).await;
    assert!(matches!(beyond, Err(link::CallError::Refused(error)) if error.code == ErrorCode::Gap));
}

async fn join(session: &mut Session, scope: Scope) -> (JoinHead, Bytes) {
    session.core.client.join(session.id, scope).unwrap();
    match session.event(|event| matches!(event, SessionEvent::Join { .. })).await {
        SessionEvent::Join { head, bytes } => (head, bytes),
        other => panic!("{other:?}"),
    }
}

/// The text that bytes draw.
fn drawn(bytes: &[&[u8]]) -> String {
    let size = vt::Size { cols: 80, rows: 24 };
    let mut terminal = vt::Terminal::new(size, vt::Options::default());
    bytes.iter().for_each(|bytes| terminal.feed(bytes));
    terminal.text(vt::TextScope::Full)
}

#[tokio::test]
async fn a_join_stands_between_two_outputs_and_draws_what_was_before() {
    let host = Host::start();
    let core = host.connect().await;
    let script = "i=0; while [ $i -lt 1500 ]; do echo line $i; i=$((i+1)); done; printf END";
    let mut session = core.run(recorded(script)).await;
    session.next().await;
    let mut joined = Vec::new();
    for _ in 0..5 {
        let (head, bytes) = join(&mut session, Scope::Full).await;
        assert_eq!((head.scope, head.cols, head.rows), (Scope::Full, 80, 24));
        assert_eq!(head.seq, session.end);
        joined.push((session.output.len(), bytes));
        let (head, bytes) = join(&mut session, Scope::Replay).await;
        assert_eq!((head.scope, head.from, head.seq), (Scope::Replay, Seq::ZERO, session.end));
        assert_eq!(bytes, Bytes::copy_from_slice(&session.output));
    }
    session.ended().await;
    assert!(session.text().ends_with("END"));
    let whole = drawn(&[&session.output]);
    for (at, screen) in joined {
        assert_eq!(drawn(&[&screen, &session.output[at..]]), whole);
    }
}

#[tokio::test]
async fn a_program_that_asks_is_answered_once_without_any_viewer() {
    let host = Host::start();
    let core = host.connect().await;
    let script = "stty raw -echo; printf '\\033[6n'; head -c 6 | od -An -c; printf done";
    let facts = core.spawn(recorded(script)).await.unwrap();
    let mut session = core.attach(facts.session, Seq::ZERO, 0).await;
    let said = session.until("done").await;
    assert!(said.contains("033   [   1   ;   1   R"), "{said}");
}

#[tokio::test]
async fn a_hub_that_takes_nothing_skips_and_a_recorder_still_reads_every_byte() {
    let host = Host::start();
    let core = host.connect().await;
    let count = 12 * 1024 * 1024_u64;
    let script = format!("stty -opost; head -c {count} /dev/zero | tr '\\0' y");
    let facts = core.spawn(recorded(&script)).await.unwrap();
    let (_, mut events) = core.client.attach(facts.session, Seq::ZERO, 0).await.unwrap();
    let reader = host.connect().await;
    let mut from = Seq::ZERO;
    let mut mark = 0;
    while from.0 < count {
        let read = reader.client.read(facts.session, from, mark, 256 * 1024).await.unwrap();
        let (head, bytes) = read;
        assert_eq!(head.from, from, "nothing was evicted");
        assert!(bytes.iter().all(|&byte| byte == b'y'));
        (from, mark) = (head.to, head.marks.last().map_or(mark, |last| last.n));
        let durable = Request::Durable { session: facts.session, seq: from, mark };
        reader.client.send(durable).unwrap();
    }
    let (mut got, mut skipped) = (0, 0);
    let exit = loop {
        match events.recv().await.unwrap() {
            SessionEvent::Output { bytes, .. } => got += u64::try_from(bytes.len()).unwrap(),
            SessionEvent::Skip { from, to } => skipped += to.bytes_since(from),
            SessionEvent::Exited { seq, .. } => break seq,
            _ => {}
        }
    };
    assert_eq!((exit, got + skipped), (Seq(count), count));
    assert!(got <= limits::LIVE_AHEAD_BYTES && skipped > 0, "{got} sent, {skipped} skipped");
}

#[tokio::test]
async fn without_a_recorder_the_oldest_goes_and_the_gap_is_said() {
    let host = Host::start();
    let core = host.connect().await;
    let count = 20 * 1024 * 1024_u64;
    let script = format!("stty -opost; head -c {count} /dev/zero | tr '\\0' y");
    let mut session = core.run(recorded(&script)).await;
    session.ended().await;
    assert_eq!(session.end, Seq(count));
    let gaps: Vec<_> = session
        .seen
        .iter()
        .filter_map(|event| match event {
            SessionEvent::Mark(mark) => match mark.kind {
                MarkKind::Gap { from, to, .. } => Some((from, to)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let facts = session.facts().await;
    assert_eq!(gaps.first().map(|gap| gap.0), Some(Seq::ZERO));
    assert_eq!(gaps.last().map(|gap| gap.1), Some(facts.ring_from));
    assert!(gaps.windows(2).all(|pair| pair[0].1 == pair[1].0), "{gaps:?}");
    assert!(facts.end.bytes_since(facts.ring_from) <= limits::RING_BYTES);
    assert!(session.seen.contains(&SessionEvent::Recording(Recording::Gap)));
    let (head, _) = core.client.read(session.id, Seq::ZERO, 0, 1024).await.unwrap();
    assert_eq!(
        (head.from, head.marks.len()),
        (facts.ring_from, 1),
        "the start, and where bytes are left"
    );
}

#[tokio::test]
async fn an_unrecorded_session_waits_for_nobody_and_keeps_the_last_of_it() {
    let host = Host::start();
    let core = host.connect().await;
    let spawn = sh("stty -opost; head -c 12000000 /dev/zero | tr '\\0' y");
    let mut session = core.run(spawn).await;
    session.ended().await;
    let facts = session.facts().await;
    assert_eq!(facts.durable, facts.end);
    assert!(facts.end.bytes_since(facts.ring_from) <= 1024 * 1024 + 128 * 1024);
    assert!(session.seen.contains(&SessionEvent::Recording(Recording::Off)));
}

async fn echo_time(session: &mut Session, n: u64) -> Duration {
    let start = Instant::now();
    session.input(1, 0, 0, Some(n), "k");
    session.until("k").await;
    start.elapsed()
}

#[tokio::test]
async fn a_key_is_answered_while_another_session_floods_the_same_link() {
    let host = Host::start();
    let core: Core = host.connect().await;
    let mut quiet = core.run(recorded("stty raw -echo; echo go; exec cat -u")).await;
    quiet.until("go").await;
    let mut floods = Vec::new();
    for _ in 0..2 {
        let spawn = sh("exec yes 'a line of a log that never ends'");
        let mut flood = core.run(spawn).await;
        flood.next().await;
        floods.push(tokio::spawn(async move {
            let mut bytes = 0;
            while let SessionEvent::Output { .. }
            | SessionEvent::Skip { .. }
            | SessionEvent::Recording(_) = flood.next().await
            {
                bytes += flood.output.len();
                flood.output.clear();
            }
            bytes
        }));
    }
    let mut times = Vec::new();
    for n in 1..=100 {
        times.push(echo_time(&mut quiet, n).await);
    }
    times.sort();
    let (median, worst) = (times[50], times[98]);
    assert!(median < Duration::from_millis(250), "median {median:?}, p99 {worst:?}");
    for flood in floods {
        flood.abort();
    }
}
