//! P4: sessions survive kill -9, restart and upgrade of the core; viewers are back within a second
//! of the new core listening, with the right screen.

use std::time::{Duration, Instant};

use hyper::Method;
use rand::RngExt as _;
use serde_json::Value;

use crate::every_byte_once::{counting, numbers, recorded_up_to};
use crate::support::viewer::Attach;
use crate::support::world::{id, session_id};
use crate::support::{Database, Viewer, World, within};

/// Design: viewers are back within 1 s of the new core listening.
const BACK: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_count_goes_on_through_twenty_kills_of_the_core() {
    for database in Database::BOTH {
        let mut world = World::start(&database).await;
        let room = world.room("Count").await;
        let pane = world.pane(&room, "bash", &["-c", &counting(2_000)]).await;
        let (pane, session) = (id(&pane), session_id(&pane));
        let host = world.host_pid().expect("a host runs");
        let mut viewer = world.attach(&pane).await;
        viewer.sees("n=1\r").await;
        let mut seen = viewer.shown.clone();
        for _ in 0..20 {
            let more = viewer.seq + rand::rng().random_range(1..500);
            viewer.until("more numbers", |viewer| viewer.seq >= more).await;
            world.kill_core().await;
            seen = joined(&seen, &viewer);
            let attach = viewer.cut();
            world.start_core().await.expect("a new core starts");
            let listening = Instant::now();
            viewer = back(&world, &pane, attach).await;
            let took = listening.elapsed();
            assert!(took < BACK, "back after {took:?}");
            assert_eq!(world.host_pid(), Some(host), "the host lives on");
        }
        viewer.sees("n=2000\r").await;
        let expected: Vec<u64> = (1..=2_000).collect();
        assert_eq!(numbers(&joined(&seen, &viewer)), expected, "on screen");
        let transcript = recorded_up_to(&world, &session, viewer.seq).await;
        assert_eq!(numbers(&transcript), expected, "in the transcript");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_host_died_is_lost_and_says_so() {
    let mut world = World::start(&Database::Sqlite).await;
    let room = world.room("Lost").await;
    let pane = world.pane(&room, "bash", &["-c", "echo here; exec sleep 600"]).await;
    let mut viewer = world.attach(&id(&pane)).await;
    viewer.sees("here").await;
    recorded_up_to(&world, &session_id(&pane), viewer.seq).await;
    let host = world.host_pid().expect("a host runs");
    crate::support::processes::signal(host, rustix::process::Signal::KILL);
    assert_eq!(viewer.close_code().await, 4010);
    let path = format!("/api/sessions/{}", session_id(&pane));
    let facts = world.ok(Method::GET, &path, Value::Null).await;
    assert_eq!(facts["state"], "lost");
    // What it printed is still there to read, from the store.
    let mut again = world.attach(&id(&pane)).await;
    again.sees("here").await;
    // A new host starts clean and runs new sessions; no process of the old one is left.
    within("a new host", async {
        while world.host_pid().is_none_or(|pid| pid == host) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mark = format!("/{}", session_id(&pane));
    within("the sweep", async {
        while crate::support::processes::marked(&mark)
            .iter()
            .any(|process| crate::support::processes::is_alive(process.pid))
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    world.stop_core().await;
}

/// The viewer, attached again as a page does it: with a fresh ticket, until it is let in.
async fn back(world: &World, pane: &str, attach: Attach) -> Viewer {
    within("the way back", async {
        loop {
            if let Ok(viewer) = Viewer::open(&world.http, pane, attach.clone()).await {
                return viewer;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

/// What was on screen before, and what came since: a continuation adds, a snapshot replaces as far
/// as it reaches back.
fn joined(before: &[u8], viewer: &Viewer) -> Vec<u8> {
    if viewer.ready["seq"] == 0 || viewer.messages.iter().any(|m| m["type"] == "snapshot") {
        return viewer.shown.clone();
    }
    if before == viewer.shown { before.to_vec() } else { [before, &viewer.shown].concat() }
}
