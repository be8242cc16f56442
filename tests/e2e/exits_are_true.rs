//! Exits: all output first, then how it ended, whoever still holds the tty.

use std::time::{Duration, Instant};

use hyper::{Method, StatusCode};
use serde_json::json;

use crate::every_byte_once::recorded_up_to;
use crate::support::world::{id, session_id};
use crate::support::{Database, World};

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_end_is_told_apart() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Exits").await;
    let cases = [
        ("exit 0", json!({ "code": 0 })),
        ("exit 3", json!({ "code": 3 })),
        ("kill -KILL $$", json!({ "signal": 9 })),
        ("kill -SEGV $$", json!({ "signal": 11 })),
    ];
    for (script, expected) in cases {
        let pane = world.script(&room, &format!("read; {script}")).await;
        let mut viewer = world.attach(&pane).await;
        viewer.acquire().await;
        viewer.type_text("\r").await;
        assert_eq!(viewer.exit().await, expected, "{script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_command_or_folder_is_refused_by_name() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Refused").await;
    let path = format!("/api/rooms/{room}/panes");
    let cases = [
        (json!({ "command": "no-such-program" }), "command_missing"),
        (json!({ "command": "bash", "cwd": world.home().join("nowhere") }), "cwd_missing"),
        (json!({ "command": "bash", "cwd": "/" }), "cwd_outside"),
        (json!({ "command": "bash", "cwd": world.home().join("..") }), "cwd_outside"),
        (json!({ "command": "bash", "cols": 0 }), "bad_message"),
        (json!({ "command": "bash", "role": "owner" }), "bad_message"),
        (json!({}), "bad_message"),
    ];
    for (body, code) in cases {
        let answer = world.call(Method::POST, &path, body.clone()).await;
        assert!(answer.status.is_client_error(), "{body}: {}", answer.status);
        assert_eq!(answer.error(), code, "{body}: {}", answer.body);
    }
    let path = format!("/api/rooms/{room}");
    let detail = world.ok(Method::GET, &path, json!(null)).await;
    assert_eq!(detail["panes"], json!([]), "a refused pane leaves nothing behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_output_comes_before_the_exit() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Last words").await;
    for round in 0..20 {
        let script = "stty -opost; yes 0123456789abcde | head -c 1048576; printf END";
        let pane = world.pane(&room, "bash", &["-c", script]).await;
        let mut viewer = world.attach(&id(&pane)).await;
        assert_eq!(viewer.exit().await, json!({ "code": 0 }), "round {round}");
        // 1 MiB and the three of END. A viewer that lagged was shown the screen instead of every
        // byte; the record has them all.
        assert_eq!(viewer.seq, 1_048_579, "round {round}");
        viewer.sees("END").await;
        let transcript = recorded_up_to(&world, &session_id(&pane), viewer.seq).await;
        assert_eq!(transcript.len(), 1_048_579, "round {round}");
        assert!(transcript.ends_with(b"END"), "round {round}");
        world.ok(Method::DELETE, &format!("/api/panes/{}", id(&pane)), json!(null)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grandchild_that_keeps_the_tty_does_not_delay_the_exit() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Grandchild").await;
    let pane = world.script(&room, "setsid sleep 30 & read; exit 3").await;
    let mut viewer = world.attach(&pane).await;
    viewer.acquire().await;
    viewer.type_text("\r").await;
    let since = Instant::now();
    assert_eq!(viewer.exit().await, json!({ "code": 3 }));
    // The cap is 500 ms; the rest is for a machine that runs other tests beside this one.
    assert!(since.elapsed() < Duration::from_millis(1_500), "{:?}", since.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_a_sleep_in_a_shell() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Shell").await;
    let body = json!({ "profile": "shell" });
    let answer = world.call(Method::POST, &format!("/api/rooms/{room}/panes"), body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let mut viewer = world.attach(&id(&answer.json())).await;
    viewer.acquire().await;
    viewer.type_text("echo up$((40+2)); sleep 600; echo status $?\r").await;
    viewer.sees("up42").await;
    viewer.type_text("\u{3}").await;
    viewer.type_text("echo after $((1+1))\r").await;
    viewer.sees("after 2").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_child_ends_only_its_own_pane() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Memory").await;
    let other = world.script(&room, "stty -echo; read line; echo fine $line; read").await;
    let hungry = "ulimit -v 300000; exec python3 -c 'x = b\"x\" * (1 << 30)'";
    let pane = world.script(&room, hungry).await;
    let mut viewer = world.attach(&pane).await;
    assert_eq!(viewer.exit().await, json!({ "code": 1 }));
    viewer.sees("MemoryError").await;
    let mut viewer = world.attach(&other).await;
    viewer.acquire().await;
    viewer.type_text("still\r").await;
    viewer.sees("fine still").await;
}
