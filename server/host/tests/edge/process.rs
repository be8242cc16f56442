//! The host as a process: alone in its directory, hard to exhaust, gone without a trace.

use std::process::Command;
use std::time::Instant;

use link::LinkError;
use rustix::process::Signal;
use wire::browser::Exit;
use wire::host::{Reply, Request};
use wire::{ErrorCode, Seq, StoreId};

use crate::support::{Host, SOON, marked, recorded, sh};

#[tokio::test]
async fn a_second_host_says_that_one_is_running_and_harms_nothing() {
    let host = Host::start();
    let before = host.connect().await;
    let second = Host::command(host.dir.path()).output().unwrap();
    assert_eq!(second.status.code(), Some(i32::from(::host::ALREADY_RUNNING)));
    assert!(second.stdout.is_empty());
    assert_eq!(before.client.request(Request::Ping).await, Ok(Reply::Done));
    assert_eq!(host.connect().await.client.request(Request::Ping).await, Ok(Reply::Done));
}

#[tokio::test]
async fn only_a_core_with_the_secret_and_the_same_store_is_let_in() {
    let host = Host::start();
    let mut hello = host.hello();
    hello.secret = "0".repeat(64);
    let refused = host.try_connect(hello).await.unwrap_err();
    assert!(matches!(refused, LinkError::Refused(error) if error.code == ErrorCode::BadSecret));
    host.connect().await;
    let mut hello = host.hello();
    hello.store = StoreId::from_random([8; 16]);
    let refused = host.try_connect(hello).await.unwrap_err();
    assert!(matches!(refused, LinkError::Refused(error) if error.code == ErrorCode::WrongStore));
    host.connect().await;
}

#[tokio::test]
async fn a_host_that_is_killed_leaves_processes_that_the_next_one_ends() {
    let mut host = Host::start();
    let core = host.connect().await;
    let mut session = core
        .run(sh(
            "trap '' HUP TERM; (setsid sleep 1008 &); echo ready; while :; do sleep 1009; done",
        ))
        .await;
    session.until("ready").await;
    host.end(Signal::KILL);
    core.client.closed().await;
    assert!(!marked(&host, session.id).is_empty());
    host.process = Host::run(&mut Host::command(host.dir.path()));
    let core = host.connect().await;
    assert_eq!(core.client.request(Request::List).await, Ok(Reply::Sessions(Vec::new())));
    let start = Instant::now();
    while !marked(&host, session.id).is_empty() {
        assert!(start.elapsed() < SOON, "{:?} are alive", marked(&host, session.id));
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_host_told_to_end_ends_its_sessions_and_takes_its_socket_away() {
    let mut host = Host::start();
    let core = host.connect().await;
    let mut session = core.run(recorded("echo ready; sleep 1010")).await;
    session.until("ready").await;
    let (seq, mark) = (session.end, session.attached.facts.mark);
    core.client.send(Request::Durable { session: session.id, seq, mark }).unwrap();
    assert!(host.end(Signal::TERM).success());
    assert!(!host.socket().exists());
    assert_eq!(marked(&host, session.id), [0_u32; 0]);
}

#[tokio::test]
async fn with_no_descriptors_left_a_start_is_refused_by_type_and_panes_go_on() {
    let host = Host::start_with(&mut |dir| {
        let plain = Host::command(dir);
        let mut command = Command::new("sh");
        command.arg("-c").arg("ulimit -n 64; exec \"$0\" \"$@\"");
        command.arg(plain.get_program()).args(plain.get_args());
        command.env("SHELL", "/bin/bash").env("GLASSHOUSE_LOG", "error");
        command
    });
    let core = host.connect().await;
    let mut first = core.run(sh("echo ready; read line; echo got $line")).await;
    first.until("ready").await;
    let mut others = Vec::new();
    let refused = loop {
        match core.spawn(sh("read line")).await {
            Ok(facts) => others.push(facts.session),
            Err(error) => break error,
        }
        assert!(others.len() < 64);
    };
    assert_eq!(refused.code, ErrorCode::Exhausted, "{refused:?}");
    // The accept loop backs off and serves again once there is room.
    let waiting = host.connect();
    first.type_text("x\n");
    first.until("got x").await;
    for session in others.drain(..4) {
        core.client.request(Request::Terminate { session }).await.unwrap();
        core.client.request(Request::Reap { session }).await.unwrap();
    }
    assert_eq!(waiting.await.client.request(Request::Ping).await, Ok(Reply::Done));
    assert_eq!(core.run(sh("exit 4")).await.ended().await, Exit::Code(4));
}

#[tokio::test]
async fn profiles_and_folders_are_found_on_the_hosts_machine() {
    let host = Host::start();
    let core = host.connect().await;
    let Ok(Reply::Profiles(profiles)) = core.client.request(Request::Profiles).await else {
        panic!("no profiles")
    };
    let shell = profiles.iter().find(|profile| profile.name == "shell").unwrap();
    assert_eq!((shell.found, shell.path.as_deref()), (true, Some("/bin/bash")));
    let link = host.dir.path().join("link");
    std::os::unix::fs::symlink("/tmp", &link).unwrap();
    let folder = |path: &str| core.client.request(Request::Folder { path: path.to_owned() });
    let found = folder(link.to_str().unwrap()).await;
    assert_eq!(found, Ok(Reply::Folder { path: "/tmp".to_owned() }));
    assert!(folder("/etc/passwd").await.is_err());
    assert!(folder("tmp").await.is_err());
    let unknown = core.client.request(Request::Unknown).await;
    assert!(
        matches!(unknown, Err(link::CallError::Refused(error)) if error.code == ErrorCode::Unsupported)
    );
}

/// With 500 of them a host had 6 threads and 18.7 MB: 15 KiB a session.
const SESSIONS: u64 = 100;

#[tokio::test]
async fn idle_sessions_cost_no_threads_and_little_memory() {
    let host = Host::start();
    let core = host.connect().await;
    let status = || std::fs::read_to_string(format!("/proc/{}/status", host.pid())).unwrap();
    let number = |name: &str| -> u64 {
        let status = status();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let mut first = core.run(sh("echo ready; read line")).await;
    first.until("ready").await;
    let before = number("VmRSS:");
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let facts = core.spawn(sh("read line")).await.unwrap();
        sessions.push(core.attach(facts.session, Seq::ZERO, 0).await);
    }
    let each = (number("VmRSS:").saturating_sub(before)) / SESSIONS;
    assert!(number("Threads:") <= 24, "{} threads", number("Threads:"));
    assert!(each < 64, "{each} KiB a session");
}
