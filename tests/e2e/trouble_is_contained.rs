//! Trouble ends where it began: one connection, one session, one request.

use std::process::Stdio;

use hyper::{Method, StatusCode};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use crate::support::world::id;
use crate::support::{Database, World, within};

#[tokio::test(flavor = "multi_thread")]
async fn a_host_without_descriptors_refuses_new_panes_and_keeps_the_old() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Descriptors").await;
    let old = world.script(&room, "stty -echo; read line; echo fine $line; read").await;
    let host = world.host_pid().and_then(Pid::from_raw).expect("a host runs");
    let open = std::fs::read_dir(format!("/proc/{}/fd", host.as_raw_nonzero())).expect("ours");
    let limit = u64::try_from(open.count()).expect("few") + 1;
    let few = Rlimit { current: Some(limit), maximum: Some(limit) };
    prlimit(Some(host), Resource::Nofile, few).expect("our own child");
    let path = format!("/api/rooms/{room}/panes");
    let body = json!({ "command": "bash", "args": ["-c", "read"] });
    let answer = world.call(Method::POST, &path, body).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
    assert_eq!(answer.error(), "exhausted");
    let mut viewer = world.attach(&old).await;
    viewer.acquire().await;
    viewer.type_text("still\r").await;
    viewer.sees("fine still").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_host_on_the_same_folder_leaves_the_first_unhurt() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Lock").await;
    let pane = world.script(&room, "stty -echo; read line; echo fine $line; read").await;
    let host = world.host_pid().expect("a host runs");
    let bytes = std::fs::read(format!("/proc/{host}/cmdline")).expect("it runs");
    let line = String::from_utf8(bytes).expect("its arguments are text");
    let mut words = line.split('\0').filter(|word| !word.is_empty());
    let mut second = tokio::process::Command::new(words.next().expect("a program"))
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut text = String::new();
    let mut errors = second.stderr.take().expect("a pipe");
    within("its words", errors.read_to_string(&mut text)).await.expect("text");
    let status = within("its end", second.wait()).await.expect("our child");
    assert!(!status.success());
    assert!(text.contains("already running"), "{text}");
    let mut viewer = world.attach(&pane).await;
    viewer.acquire().await;
    viewer.type_text("still\r").await;
    viewer.sees("fine still").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_messages_cost_a_viewer_nothing_but_a_word() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Broken").await;
    let pane = world.script(&room, "stty -echo; echo up; read line; echo fine $line; read").await;
    let mut viewer = world.attach(&pane).await;
    viewer.sees("up").await;
    for broken in [
        json!({ "type": "fly" }),
        json!({ "type": "input" }),
        json!([]),
        json!("input"),
        json!({ "type": "resize", "cols": "80", "rows": 24 }),
        json!({ "type": "control", "action": "grab" }),
        json!({ "type": "interrupt", "role": "owner" }),
    ] {
        viewer.send(broken.clone()).await;
        let error = viewer.message("error").await;
        assert_eq!(error["code"], "bad_message", "{broken}");
        assert_eq!(error["fatal"], false, "{broken}");
    }
    viewer.send(json!({ "type": "input", "data": "x".repeat(1_000_001) })).await;
    let refused = viewer.message("refused").await;
    assert_eq!(refused["code"], "too_large");
    viewer.acquire().await;
    viewer.type_text("still\r").await;
    viewer.sees("fine still").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_sees_none_of_our_secrets_or_descriptors() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Child").await;
    let script = "ls -l /proc/self/fd | awk '{print \"fd\", $9, $11}'; env | sed 's/^/env /'; \
                  grep -E 'SigIgn|SigBlk|SigCgt' /proc/self/status; tty; echo end; read";
    let pane = world.pane(&room, "bash", &["-c", script]).await;
    let mut viewer = world.attach(&id(&pane)).await;
    viewer.sees("end\r").await;
    let text = String::from_utf8_lossy(&viewer.shown).into_owned();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let ["fd", number, target] = words.as_slice() {
            let own = target.starts_with("/dev/pts/") || target.starts_with("/proc/");
            assert!(own || target.starts_with("pipe:"), "descriptor {number} is {target}");
        }
        for ours in ["DATABASE_URL", "GLASSHOUSE_TEST", "GLASSHOUSE_TOKEN", "RUST_LOG"] {
            assert!(!line.starts_with(&format!("env {ours}")), "{line}");
        }
    }
    assert!(text.contains("env TERM=xterm-256color"), "{text}");
    assert!(text.contains("env COLORTERM=truecolor"), "{text}");
    assert!(text.contains("env GLASSHOUSE_SESSION="), "{text}");
    assert!(text.contains("SigBlk:\t0000000000000000"), "{text}");
}
