//! Rooms, and what needs a pane host when there is none.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use wire::ErrorCode;
use wire::FolderId;
use wire::event::Event;
use wire::http::Folder;

use crate::support::{Answer, Ask, Core};

async fn start() -> (Core, String) {
    let core = Core::start().await;
    let folder = Folder { id: FolderId::from_random([3; 16]), path: "/work".to_owned() };
    core.app.store.add_folder(folder, 0).await.unwrap();
    let cookie = core.signin().await;
    (core, cookie)
}

async fn create(core: &Core, cookie: &str, name: &str) -> Answer {
    core.send(Ask::post("/api/rooms").by(cookie).json(&json!({ "name": name }))).await
}

#[tokio::test]
async fn a_room_is_made_changed_and_deleted_and_everybody_is_told() {
    let (core, cookie) = start().await;
    let mut told = core.app.events.follow(None);
    let made = create(&core, &cookie, " one ").await;
    assert_eq!(made.status, StatusCode::CREATED);
    let room = made.json();
    assert_eq!((&room["name"], &room["folder"]), (&json!("one"), &json!("/work")));
    let path = format!("/api/rooms/{}", room["id"].as_str().unwrap());
    let patch = Ask::new(Method::PATCH, &path).by(&cookie).json(&json!({ "name": "two" }));
    assert_eq!(core.send(patch).await.json()["name"], "two");
    let detail = core.send(Ask::get(&path).by(&cookie)).await.json();
    assert_eq!((&detail["room"]["name"], &detail["panes"]), (&json!("two"), &json!([])));
    let gone = core.send(Ask::new(Method::DELETE, &path).by(&cookie)).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(core.send(Ask::get(&path).by(&cookie)).await.code(), ErrorCode::NotFound);
    let told: Vec<_> = std::iter::from_fn(|| told.ready()).map(|told| told.event).collect();
    assert!(matches!(told[..], [Event::Room { .. }, Event::Room { .. }, Event::RoomGone { .. }]));
}

#[tokio::test]
async fn there_are_as_many_rooms_as_the_setting_says() {
    let (core, cookie) = start().await;
    for n in 0..6 {
        assert_eq!(create(&core, &cookie, &format!("{n}")).await.status, StatusCode::CREATED);
    }
    let answer = create(&core, &cookie, "seven").await;
    assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, ErrorCode::Full));
}

#[tokio::test]
async fn a_layout_made_on_an_older_version_is_stale() {
    let (core, cookie) = start().await;
    let room = create(&core, &cookie, "one").await.json();
    let path = format!("/api/rooms/{}", room["id"].as_str().unwrap());
    let layout = json!({ "node": "pane", "pane": "00000000-0000-4000-8000-000000000001" });
    let patch = |version: Value| {
        let body = json!({ "layout": layout, "version": version });
        core.send(Ask::new(Method::PATCH, &path).by(&cookie).json(&body))
    };
    let first = patch(room["version"].clone()).await;
    assert_eq!(first.status, StatusCode::OK);
    let second = patch(room["version"].clone()).await;
    assert_eq!((second.status, second.code()), (StatusCode::CONFLICT, ErrorCode::Stale));
    assert_eq!(patch(first.json()["version"].clone()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_needs_a_host_says_that_there_is_none() {
    let (core, cookie) = start().await;
    let room = create(&core, &cookie, "one").await.json();
    let panes = format!("/api/rooms/{}/panes", room["id"].as_str().unwrap());
    let asks = [
        Ask::post(panes).json(&json!({ "profile": "shell" })),
        Ask::post("/api/folders").json(&json!({ "path": "/tmp" })),
        Ask::get("/api/profiles"),
        Ask::get("/readyz"),
    ];
    for ask in asks {
        let answer = core.send(ask.by(&cookie)).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.json()["hostUp"] == false || answer.code() == ErrorCode::HostDown);
    }
    assert_eq!(core.send(Ask::get("/healthz")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_is_wrong_is_told_apart() {
    let (core, cookie) = start().await;
    for body in [json!({}), json!({ "name": "" }), json!({ "name": "a", "color": 1 }), json!(3)] {
        let answer = core.send(Ask::post("/api/rooms").by(&cookie).json(&body)).await;
        assert_eq!(answer.code(), ErrorCode::BadMessage, "{body}");
    }
}
