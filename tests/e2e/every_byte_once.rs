//! P1: every byte a session prints is recorded exactly once, in order.

use hyper::Method;
use serde_json::Value;

use crate::support::world::{id, session_id};
use crate::support::{Database, World, within};

/// The numbers of lines such as `n=17`, in order, and nothing torn between them.
pub(crate) fn numbers(output: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(output).into_owned();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("n="))
        .map(|number| number.parse().unwrap_or_else(|_| panic!("a torn line: n={number:?}")))
        .collect()
}

/// Counts to `last`, at a pace that leaves time to be interrupted.
pub(crate) fn counting(last: u32) -> String {
    format!("stty -echo; for i in $(seq 1 {last}); do echo n=$i; read -t 0.01 <> <(:); done; read")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_is_in_the_transcript_byte_for_byte() {
    for database in Database::BOTH {
        let world = World::start(&database).await;
        let room = world.room("Record").await;
        let script = "stty -opost -echo; seq 1 40000 | sed 's/^/n=/'; printf 'end\\n'; read";
        let pane = world.pane(&room, "bash", &["-c", script]).await;
        let mut viewer = world.attach(&id(&pane)).await;
        viewer.sees("end").await;
        let end = viewer.seq;
        let transcript = recorded_up_to(&world, &session_id(&pane), end).await;
        let expected: Vec<u64> = (1..=40_000).collect();
        assert_eq!(numbers(&transcript), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_printed_is_masked_in_the_transcript() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Secrets").await;
    let key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEf";
    let pane = world.pane(&room, "bash", &["-c", &format!("echo key {key} end; read")]).await;
    let mut viewer = world.attach(&id(&pane)).await;
    viewer.sees(key).await;
    let transcript = recorded_up_to(&world, &session_id(&pane), viewer.seq).await;
    let text = String::from_utf8_lossy(&transcript).into_owned();
    assert!(!text.contains("AbCdEfGhIjKl"), "{text:?}");
    assert!(text.contains("key [redacted:"), "{text:?}");
}

/// The transcript once everything before `end` is in it.
pub(crate) async fn recorded_up_to(world: &World, session: &str, end: u64) -> Vec<u8> {
    within("the record", async {
        loop {
            let path = format!("/api/sessions/{session}");
            let facts = world.ok(Method::GET, &path, Value::Null).await;
            if facts["durable"].as_u64().is_some_and(|durable| durable >= end) {
                return world.transcript(session).await;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}
