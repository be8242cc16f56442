//! A room holds sixteen panes, whoever asks at once.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Database, World};

#[tokio::test(flavor = "multi_thread")]
async fn of_sixty_four_creations_at_once_sixteen_succeed() {
    for database in Database::BOTH {
        let world = World::start(&database).await;
        let room = world.room("Full").await;
        let path = format!("/api/rooms/{room}/panes");
        let creations = (0..64).map(|_| {
            let body = json!({ "command": "bash", "args": ["-c", "read"] });
            world.call(Method::POST, &path, body)
        });
        let answers = futures_util::future::join_all(creations).await;
        let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
        let full = answers.iter().filter(|answer| answer.error() == "full").count();
        let others: Vec<_> = answers
            .iter()
            .filter(|answer| answer.status != StatusCode::CREATED && answer.error() != "full")
            .map(|answer| (answer.status, answer.body.clone()))
            .collect();
        assert_eq!((made, full), (16, 48), "{others:?}");
        let detail = world.ok(Method::GET, &format!("/api/rooms/{room}"), Value::Null).await;
        let mut slots: Vec<_> = detail["panes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|pane| pane["slot"].as_i64())
            .collect();
        slots.sort_unstable();
        assert_eq!(slots, (0..16).collect::<Vec<_>>());
    }
}
