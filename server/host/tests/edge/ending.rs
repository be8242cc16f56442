//! Ending a session leaves nothing of it alive, and a program's end is told once and soon.

use std::time::{Duration, Instant};

use wire::browser::Exit;
use wire::host::{Reply, Request};
use wire::{ErrorCode, Seq};

use crate::support::{Host, Session, marked, sh};

/// A script that leaves every kind of process that others have failed to end.
const ESCAPEES: &str = "
    trap '' HUP TERM
    nohup sleep 1001 >/dev/null 2>&1 &
    setsid sleep 1002 &
    setsid sh -c 'sleep 1003 & sleep 1004 & exit' &
    (setsid sh -c 'trap \"\" HUP TERM INT; while :; do sleep 1005; done' &) &
    sh -c 'kill -STOP $$' &
    env -i setsid sleep 1006 &
    sh -c 'trap \"\" HUP TERM; sleep 1007 & wait; wait' &
    sleep 0.3
    echo ready
    while :; do read line; done";

async fn run(host: &Host, script: &str) -> Session {
    let mut session = host.connect().await.run(sh(script)).await;
    session.until("ready").await;
    session
}

#[tokio::test]
async fn no_escapee_survives_the_end_of_its_session() {
    let host = Host::start();
    let mut session = run(&host, ESCAPEES).await;
    let before = marked(&host, session.id).len();
    assert!(before >= 8, "only {before} processes were started");
    assert_eq!(session.terminate().await, []);
    assert_eq!(marked(&host, session.id), [0_u32; 0]);
    let hidden = ::host::procs::scan().into_iter().filter(|stat| {
        std::fs::read(format!("/proc/{}/cmdline", stat.pid))
            .is_ok_and(|line| line.ends_with(b"1006\0"))
            && ::host::procs::mark_of(stat.pid).is_none()
            && stat.parent == host.pid()
    });
    assert_eq!(hidden.count(), 0, "one that shed its environment");
    assert_eq!(session.ended().await, Exit::Signal(9));
    // Ending what has ended is no error, and its exit is told once.
    assert_eq!(session.terminate().await, []);
    assert_eq!(session.request(Request::Reap { session: session.id }).await, Ok(Reply::Done));
    let gone = session.request(Request::Inspect { session: session.id }).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

#[tokio::test]
async fn a_program_that_obeys_is_ended_without_being_killed() {
    let host = Host::start();
    let mut session =
        run(&host, "trap 'exit 7' TERM; trap '' HUP; echo ready; while :; do read l; done").await;
    let start = Instant::now();
    session.terminate().await;
    assert!(start.elapsed() < Duration::from_secs(12));
    assert_eq!(session.ended().await, Exit::Code(7));
}

#[tokio::test]
async fn a_grandchild_that_holds_the_terminal_does_not_hold_up_the_exit() {
    let host = Host::start();
    let core = host.connect().await;
    let script = "setsid sh -c 'echo up; exec sleep 30' & read line; exit 3";
    let mut session = core.run(sh(script)).await;
    session.until("up").await;
    session.type_text("\n");
    let start = Instant::now();
    assert_eq!(session.ended().await, Exit::Code(3));
    let took = start.elapsed();
    assert!(
        took < Duration::from_secs(3),
        "{took:?}, half a second on a machine with nothing else"
    );
    assert_eq!(marked(&host, session.id).len(), 1, "it was not asked to end");
    assert_eq!(session.terminate().await, []);
    assert_eq!(marked(&host, session.id), [0_u32; 0]);
}

#[tokio::test]
async fn a_program_killed_for_its_memory_ends_its_pane_only() {
    let host = Host::start();
    let core = host.connect().await;
    let mut other = core.run(sh("echo ready; read line; echo $line")).await;
    other.until("ready").await;
    let script = "ulimit -v 200000; exec tail /dev/zero";
    let mut session = core.run(sh(script)).await;
    assert_ne!(session.ended().await, Exit::Code(0));
    other.type_text("alive\n");
    other.until("alive\r\nalive").await;
}

#[tokio::test]
async fn a_signal_reaches_the_foreground_and_an_ended_program_gets_no_input() {
    let host = Host::start();
    let mut session =
        run(&host, "trap 'echo usr1; exit 0' USR1; echo ready; while :; do sleep 0.05; done").await;
    let signal = |signal| Request::Signal { session: session.id, signal };
    assert_eq!(session.request(signal(9_999)).await.unwrap_err().code, ErrorCode::BadMessage);
    session.request(signal(10)).await.unwrap();
    session.until("usr1").await;
    assert_eq!(session.ended().await, Exit::Code(0));
    session.input(1, 0, 0, Some(1), "x");
    let refused = session.event(|event| matches!(event, link::SessionEvent::Refused { .. })).await;
    assert!(matches!(refused, link::SessionEvent::Refused { code: ErrorCode::Exited, .. }));
    // Whoever comes later is told everything again.
    let mut again = session.core.attach(session.id, Seq::ZERO, 0).await;
    assert_eq!(again.ended().await, Exit::Code(0));
    assert!(again.text().contains("usr1"));
}
