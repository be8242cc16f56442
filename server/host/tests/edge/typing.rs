//! Keys, pastes, interrupts and sizes reach the right program, once, from the right person.

use std::time::{Duration, Instant};

use wire::ErrorCode;
use wire::browser::{Exit, Paste};
use wire::host::{LeaseAction, MarkKind, Reply, Request};

use crate::support::{Core, Host, Session, by, sh};
use link::SessionEvent;

fn ack(id: u64) -> impl Fn(&SessionEvent) -> bool {
    move |event| matches!(event, SessionEvent::InputAck { id: got, .. } if *got == id)
}

fn refused(id: u64) -> impl Fn(&SessionEvent) -> bool {
    move |event| matches!(event, SessionEvent::Refused { id: Some(got), .. } if *got == id)
}

async fn interrupt(session: &Session) -> Result<Reply, wire::ErrorBody> {
    session.request(Request::Interrupt { session: session.id, by: by(1), epoch: 0 }).await
}

/// A program that prints what it reads, byte by byte.
async fn echo(core: &Core) -> Session {
    let mut session = core.run(sh("stty raw -echo; printf go; exec cat -u")).await;
    session.until("go").await;
    session
}

#[tokio::test]
async fn every_input_is_applied_once_and_in_order() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session = echo(&core).await;
    for id in 1..=200 {
        session.input(1, 0, 0, Some(id), &format!("{id} "));
        // As after a cut: the same again, acknowledged or not.
        if id % 3 == 0 {
            session.input(1, 0, 0, Some(id), &format!("{id} "));
            session.input(1, 0, 0, Some(id - 1), &format!("{} ", id - 1));
        }
    }
    let expected: String = (1..=200).map(|id| format!("{id} ")).collect();
    assert_eq!(session.until("200 ").await, expected);
    session.event(ack(200)).await;
    session.input(1, 0, 0, Some(7), "7 ");
    session.event(ack(200)).await;
    session.type_text(".");
    assert_eq!(session.until(".").await, ".");
}

#[tokio::test]
async fn after_a_takeover_no_byte_of_the_old_epoch_is_applied() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session = echo(&core).await;
    let mine = session.control(1, LeaseAction::Acquire).await.unwrap();
    session.input(1, mine.epoch, 0, Some(1), "a");
    session.event(ack(1)).await;
    // Another tab of the same caller takes at once.
    let request = Request::Control {
        session: session.id,
        by: wire::host::By { viewer: by(9).viewer, ..by(1) },
        action: LeaseAction::Take,
    };
    session.request(request).await.unwrap();
    session.input(1, mine.epoch, 0, Some(2), "b");
    let stale = session.event(refused(2)).await;
    assert!(matches!(stale, SessionEvent::Refused { code: ErrorCode::LeaseStale, .. }));
    session.input(1, 0, 0, Some(3), "c");
    let after = session.event(refused(3)).await;
    assert!(matches!(after, SessionEvent::Refused { code: ErrorCode::AfterRefused, .. }));
    session.input(1, 0, 1, Some(4), "d");
    let held = session.event(refused(4)).await;
    assert!(matches!(held, SessionEvent::Refused { code: ErrorCode::HeldBy, holder: Some(_), .. }));
    let other = session.control(2, LeaseAction::Acquire).await.unwrap_err();
    assert_eq!((other.code, other.details.as_deref()), (ErrorCode::HeldBy, Some("caller 1")));
}

#[tokio::test]
async fn ctrl_c_stops_a_shells_command() {
    let host = Host::start();
    let core = host.connect().await;
    let mut spawn = sh("");
    spawn.command = None;
    spawn.args = vec!["--norc".to_owned()];
    let mut shell = core.run(spawn).await;
    // Printed by the job itself: the shell has then let it have the terminal.
    let job = "sh -c 'echo begin; exec sleep 1000'";
    shell.type_text(&format!("PS1='ready> '; {job}; echo code $?\r"));
    shell.until("begin\r\n").await;
    shell.type_text("\x03");
    shell.until("ready> ").await;
    shell.type_text(&format!("{job}\r"));
    shell.until("begin\r\n").await;
    interrupt(&shell).await.unwrap();
    shell.until("ready> ").await;
    shell.terminate().await;
}

#[tokio::test]
async fn ctrl_c_is_a_byte_to_a_cli_and_a_signal_only_where_it_could_not_be_read() {
    let host = Host::start_with(&mut |dir| {
        std::fs::write(
            dir.join("profiles.toml"),
            "[[profile]]\nname = \"cli\"\ncommand = \"sh\"\nsignals = \"byte\"\n",
        )
        .unwrap();
        let mut command = Host::command(dir);
        command.arg("--profiles").arg(dir.join("profiles.toml"));
        command
    });
    let core = host.connect().await;
    let cli = |script: &str| {
        let mut spawn = sh(script);
        spawn.profile = "cli".to_owned();
        spawn
    };
    let mut raw = core.run(cli("stty raw -echo; echo go; head -c 2 | od -An -tx1")).await;
    raw.until("go").await;
    raw.type_text("\x03");
    interrupt(&raw).await.unwrap();
    raw.until("03 03").await;
    assert_eq!(raw.ended().await, Exit::Code(0));

    let mut cooked = core.run(cli("echo go; exec sleep 1000")).await;
    cooked.until("go").await;
    interrupt(&cooked).await.unwrap();
    assert_eq!(cooked.ended().await, Exit::Signal(2));
}

#[tokio::test]
async fn an_interrupt_overtakes_a_paste_that_nobody_reads() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session = core.run(sh("stty raw -echo; echo go; exec sleep 1000")).await;
    session.until("go").await;
    for id in 1..=20 {
        session.input(1, 0, 0, Some(id), &"x".repeat(100_000));
    }
    interrupt(&session).await.unwrap();
    let first = session.event(|event| matches!(event, SessionEvent::Refused { .. })).await;
    assert!(
        matches!(first, SessionEvent::Refused { code: ErrorCode::Dropped | ErrorCode::Busy, .. }),
        "{first:?}"
    );
    session.terminate().await;
}

#[tokio::test]
async fn a_paste_is_marked_when_the_program_asks_for_it() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session = core.run(sh("stty raw -echo; printf '\\033[?2004hgo'; exec cat -v")).await;
    session.until("go").await;
    assert!(session.facts().await.modes.paste);
    session.paste(1, 0, 0, Some(1), Some(Paste::Start), "one\n");
    session.paste(1, 0, 0, Some(2), Some(Paste::End), "two");
    session.event(ack(2)).await;
    session.type_text("\r");
    let got = session.until("~^M").await;
    assert!(got.contains("^[[200~one\ntwo^[[201~"), "{got:?}");
    session.terminate().await;
}

#[tokio::test]
async fn a_storm_of_sizes_ends_at_the_last_and_only_the_holder_resizes() {
    let host = Host::start();
    let core = host.connect().await;
    let mut session = core
        .run(sh("trap 'echo winch' WINCH; echo go; while :; do read line; stty size; done"))
        .await;
    session.until("go").await;
    let resize = |n: u8, cols: u16| Request::Resize {
        session: session.id,
        by: by(n),
        cols,
        rows: 30,
        cell: None,
    };
    let refused = session.request(resize(1, 100)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::LeaseStale, "nobody holds it");
    session.control(1, LeaseAction::Acquire).await.unwrap();
    assert_eq!(session.request(resize(2, 100)).await.unwrap_err().code, ErrorCode::HeldBy);
    let start = Instant::now();
    for n in 0..2_000 {
        session.core.client.send(resize(1, 100 + n % 50)).unwrap();
        if n % 100 == 0 {
            session.request(Request::Inspect { session: session.id }).await.unwrap();
        }
    }
    session.core.client.send(resize(1, 999)).unwrap();
    let last = session
        .event(|event| {
            matches!(event, SessionEvent::Mark(mark)
                if matches!(mark.kind, MarkKind::Resize { cols: 400, rows: 30, .. }))
        })
        .await;
    let SessionEvent::Mark(last) = last else { panic!("{last:?}") };
    let took = start.elapsed().as_millis();
    assert!(u128::from(last.n - 1) <= took / 50 + 2, "{} resizes in {took} ms", last.n - 1);
    assert_eq!(session.facts().await.cols, 400);
    session.type_text("\n");
    session.until("30 400").await;
    session.terminate().await;
}

#[tokio::test]
async fn a_terminal_that_was_closed_by_all_and_opened_again_is_read_on_without_a_busy_loop() {
    let host = Host::start();
    let core = host.connect().await;
    let script = "tty=$(tty); echo go; exec </dev/null >/dev/null 2>&1; sleep 0.3; \
                  exec <$tty >$tty 2>&1; echo back; read line; echo got $line";
    let mut session = core.run(sh(script)).await;
    session.until("back").await;
    let used = || ::host::procs::Stat::read(host.pid()).unwrap().ticks;
    let before = used();
    let quiet = tokio::time::timeout(Duration::from_secs(1), session.until("never")).await;
    assert!(quiet.is_err());
    assert!(used() - before < 50, "{} ticks in a quiet second", used() - before);
    session.type_text("x\n");
    session.until("got x").await;
}
