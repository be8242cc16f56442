//! P6: at most one holder types at any instant; a keystroke is applied once, in order, or visibly
//! refused.

use serde_json::json;

use crate::support::viewer::Attach;
use crate::support::{Database, Viewer, World};

/// A shell that prints what it reads, a line at a time, with its terminal's echo off.
const READER: &str = "stty -echo; echo ready; while read -r line; do echo \"<$line>\"; done";

#[tokio::test(flavor = "multi_thread")]
async fn both_see_one_types_and_hands_over() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Two").await;
    let pane = world.script(&room, READER).await;
    let mut anna = world.attach(&pane).await;
    let mut ben = Viewer::open(&world.http, &pane, Attach { binary: false, ..Attach::default() })
        .await
        .expect("the socket opens");
    anna.sees("ready").await;
    ben.sees("ready").await;
    anna.acquire().await;
    anna.type_text("one\r").await;
    anna.sees("<one>").await;
    ben.sees("<one>").await;

    // Ben types under no grant of his own: nothing of it is applied, and he is told.
    let id = ben.type_text("stolen\r").await;
    let refused = ben.message("refused").await;
    assert_eq!((refused["id"].as_u64(), &refused["code"]), (Some(id), &json!("lease_stale")));

    // The same caller's other tab takes at once; the first is told.
    ben.send(json!({ "type": "control", "action": "take" })).await;
    ben.until("the lease", |viewer| viewer.holds).await;
    anna.until("the loss", |viewer| !viewer.holds).await;
    ben.send(json!({ "type": "input", "data": "two\r", "id": 100, "epoch": ben.epoch, "run": 1 }))
        .await;
    ben.sees("<two>").await;
    anna.sees("<two>").await;
    assert!(!String::from_utf8_lossy(&anna.shown).contains("stolen"));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_through_twenty_cuts_are_applied_once_and_in_order() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Cuts").await;
    let pane = world.script(&room, READER).await;
    let mut viewer = world.attach(&pane).await;
    viewer.sees("ready").await;
    viewer.acquire().await;
    let mut acked = 0;
    for n in 1..=200_u64 {
        viewer.type_text(&format!("k{n}\r")).await;
        if n % 10 != 0 {
            continue;
        }
        // Cut at once, before any ack was read; come back as the same viewer and send again
        // whatever was not acknowledged.
        let epoch = viewer.epoch;
        let attach = viewer.cut();
        viewer = Viewer::open(&world.http, &pane, attach).await.expect("the socket opens");
        assert_eq!(viewer.epoch, epoch, "back within 5 s keeps the grant");
        for id in acked + 1..=n {
            viewer.send_input(&format!("k{id}\r"), id, epoch).await;
        }
        while acked < n {
            acked = viewer.message("input_ack").await["id"].as_u64().expect("an id");
        }
    }
    let last = Viewer::open(&world.http, &pane, Attach::default()).await;
    let mut reader = last.expect("the socket opens");
    reader.sees("<k200>").await;
    let text = String::from_utf8_lossy(&reader.shown).into_owned();
    let applied: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix('<')).collect();
    let expected: Vec<_> = (1..=200).map(|n| format!("k{n}>")).collect();
    assert_eq!(applied, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_cannot_type_resize_or_take() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Watch").await;
    let pane = world.script(&room, READER).await;
    let watch = Attach { watch: true, ..Attach::default() };
    let mut viewer = Viewer::open(&world.http, &pane, watch).await.expect("the socket opens");
    viewer.sees("ready").await;
    assert_eq!(viewer.ready["readOnly"], true);
    viewer.type_text("x\r").await;
    assert_eq!(viewer.message("refused").await["code"], "read_only");
    viewer.send(json!({ "type": "control", "action": "take" })).await;
    assert_eq!(viewer.message("refused").await["code"], "read_only");
    viewer.send(json!({ "type": "resize", "cols": 40, "rows": 10 })).await;
    assert_eq!(viewer.message("refused").await["code"], "read_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_nothing_but_a_websocket_library_is_a_viewer() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Script").await;
    let pane = world.script(&room, READER).await;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = tokio::process::Command::new("node")
        .arg(root.join("e2e/support/viewer.mjs"))
        .arg(world.http.origin())
        .arg(world.http.cookie.as_deref().unwrap_or_default())
        .args([pane.as_str(), "hello from a script"])
        .env("NODE_PATH", root.join("browser/node_modules"))
        .output();
    let output = crate::support::within("the script", output).await.expect("node is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("<hello from a script>"), "{text} {errors}");
}
