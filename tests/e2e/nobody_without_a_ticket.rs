//! P8: no byte in or out of a terminal socket without a signed-in caller, an unused ticket, the
//! right Origin and the right Host.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, handshake::client::Request};

use crate::support::viewer::Attach;
use crate::support::world::id;
use crate::support::{Database, Viewer, World, within};

/// Asks for a socket; answers 101 or the refusal's status.
async fn upgrade(request: Request) -> u16 {
    match within("the upgrade", tokio_tungstenite::connect_async(request)).await {
        Ok((_, response)) => response.status().as_u16(),
        Err(tungstenite::Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("no answer to an upgrade: {error}"),
    }
}

async fn ticket(world: &World, pane: &str) -> String {
    let path = format!("/api/panes/{pane}/cli/ticket");
    let reply = world.ok(Method::POST, &path, json!({})).await;
    reply["ticket"].as_str().expect("a ticket").to_owned()
}

fn request(world: &World, pane: &str, ticket: &str, origin: Option<&str>, cookie: bool) -> Request {
    let url =
        format!("ws://127.0.0.1:{}/api/panes/{pane}/cli/terminal?ticket={ticket}", world.http.port);
    let mut request = url.into_client_request().expect("a URL");
    let headers = request.headers_mut();
    if let Some(origin) = origin {
        headers.insert("origin", origin.parse().expect("an origin"));
    }
    if let Some(value) = world.http.cookie.as_deref().filter(|_| cookie) {
        headers.insert("cookie", value.parse().expect("a cookie"));
    }
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_opens_no_socket() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Door").await;
    let pane = id(&world.pane(&room, "bash", &["-c", "read"]).await);
    let port = world.http.port;
    let foreign = [
        "http://evil.test".to_owned(),
        "null".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1.evil.test:{port}"),
        format!("http://evil127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}."),
        "http://127.0.0.1".to_owned(),
    ];
    for origin in foreign {
        let ticket = ticket(&world, &pane).await;
        let status = upgrade(request(&world, &pane, &ticket, Some(&origin), true)).await;
        assert_eq!(status, 403, "{origin}");
        // Whatever the outcome, the ticket is spent.
        let own = world.http.origin();
        let status = upgrade(request(&world, &pane, &ticket, Some(&own), true)).await;
        assert_ne!(status, 101, "a refused ticket opened a socket");
    }
    let spare = ticket(&world, &pane).await;
    assert_eq!(upgrade(request(&world, &pane, &spare, None, true)).await, 403, "no origin");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_needs_a_ticket_and_a_sign_in() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Door").await;
    let pane = id(&world.pane(&room, "bash", &["-c", "read"]).await);
    let other = id(&world.pane(&room, "bash", &["-c", "read"]).await);
    let own = world.http.origin();
    assert_eq!(upgrade(request(&world, &pane, "", Some(&own), true)).await, 401);
    assert_eq!(upgrade(request(&world, &pane, "AAAA", Some(&own), true)).await, 401);
    let good = ticket(&world, &pane).await;
    assert_eq!(upgrade(request(&world, &other, &good, Some(&own), true)).await, 401, "other pane");
    assert_eq!(upgrade(request(&world, &pane, &good, Some(&own), true)).await, 401, "burnt");
    let good = ticket(&world, &pane).await;
    assert_eq!(upgrade(request(&world, &pane, &good, Some(&own), false)).await, 401, "no cookie");
    let good = ticket(&world, &pane).await;
    assert_eq!(upgrade(request(&world, &pane, &good, Some(&own), true)).await, 101);
    assert_eq!(upgrade(request(&world, &pane, &good, Some(&own), true)).await, 401, "used");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_upgrades_with_one_ticket_one_opens() {
    let world = World::start(&Database::Sqlite).await;
    let room = world.room("Door").await;
    let pane = id(&world.pane(&room, "bash", &["-c", "read"]).await);
    let ticket = ticket(&world, &pane).await;
    let mut tries = tokio::task::JoinSet::new();
    // As many at once as the machine's descriptors and the core's cap per address allow.
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(48));
    for _ in 0..1_000 {
        let attach = Attach::default();
        let (http, pane, ticket) = (world.http.clone(), pane.clone(), ticket.clone());
        let gate = std::sync::Arc::clone(&gate);
        tries.spawn(async move {
            let permit = gate.acquire_owned().await;
            let opened = Viewer::open_with(&http, &pane, attach, &ticket).await;
            drop(permit);
            opened.ok()
        });
    }
    let opened = within("all upgrades", tries.join_all()).await;
    assert_eq!(opened.iter().flatten().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebound_name_reaches_nothing() {
    let world = World::start(&Database::Sqlite).await;
    let own = world.http.origin();
    for path in ["/", "/api/me", "/api/rooms", "/healthz", "/api/events", "/nowhere"] {
        for host in ["attacker.test", "127.0.0.1.nip.test", "127.0.0.1:1", ""] {
            let answer = world
                .http
                .call_as(Method::GET, path, &Value::Null, host, Some(&own))
                .await
                .expect("the core answers");
            let refused =
                matches!(answer.status, StatusCode::MISDIRECTED_REQUEST | StatusCode::BAD_REQUEST);
            assert!(refused, "{path} for host {host:?}: {}", answer.status);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_url_works_once() {
    let mut world = World::start(&Database::Sqlite).await;
    world.stop_core().await;
    let again = world.start_core().await.expect("the core starts");
    assert_eq!(again, None, "nobody needs another sign-in");
    let answer = world.call(Method::POST, "/api/signin", json!({ "token": "A".repeat(43) })).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    world.ok(Method::GET, "/api/me", Value::Null).await;
    let room = world.room("Out").await;
    let pane = world.script(&room, "read").await;
    let mut viewer = world.attach(&pane).await;
    world.ok(Method::POST, "/api/signout", json!({})).await;
    assert_eq!(viewer.close_code().await, 4003, "an open socket closes with its sign-in");
    let answer = world.call(Method::GET, "/api/me", Value::Null).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}
