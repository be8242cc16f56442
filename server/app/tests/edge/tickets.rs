//! Tickets: one socket each.

use futures_util::future::join_all;
use http::StatusCode;
use http::header::ORIGIN;
use serde_json::json;
use wire::ErrorCode;

use crate::support::{Ask, Core, send};

async fn ticket(core: &Core, cookie: &str) -> String {
    let asked = Ask::post("/api/tickets").by(cookie).json(&json!({ "events": true }));
    core.send(asked).await.json()["events"].as_str().unwrap().to_owned()
}

fn socket(cookie: &str, ticket: &str) -> Ask {
    Ask::get("/api/events").by(cookie).upgrade().ticket(ticket)
}

#[tokio::test]
async fn a_thousand_upgrades_with_one_ticket_open_one_socket() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    let ticket = ticket(&core, &cookie).await;
    let tries =
        (0..1000).map(|_| tokio::spawn(send(core.router.clone(), socket(&cookie, &ticket))));
    let mut opened = 0;
    for answer in join_all(tries).await {
        match answer.unwrap() {
            answer if answer.status == StatusCode::SWITCHING_PROTOCOLS => opened += 1,
            answer => assert_eq!(answer.code(), ErrorCode::BadTicket),
        }
    }
    assert_eq!(opened, 1);
}

#[tokio::test]
async fn only_the_subprotocol_is_echoed_never_the_ticket() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    let answer = core.send(socket(&cookie, &ticket(&core, &cookie).await)).await;
    assert_eq!(answer.status, StatusCode::SWITCHING_PROTOCOLS);
    assert_eq!(answer.headers[http::header::SEC_WEBSOCKET_PROTOCOL], "glasshouse.v1");
}

#[tokio::test]
async fn whatever_is_wrong_with_its_request_a_ticket_is_spent() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    type Spoil = fn(Ask) -> Ask;
    let spoils: [(Spoil, ErrorCode); 4] = [
        (|ask| ask.header(ORIGIN, "http://evil.test"), ErrorCode::BadOrigin),
        (|ask| ask.header(http::header::COOKIE, "a=b"), ErrorCode::Unauthorized),
        (|ask| ask.header(ORIGIN, "http://localhost:4911"), ErrorCode::BadTicket),
        (|ask| ask.header(http::header::SEC_WEBSOCKET_VERSION, "12"), ErrorCode::BadMessage),
    ];
    for (spoil, code) in spoils {
        let ticket = ticket(&core, &cookie).await;
        assert_eq!(core.send(spoil(socket(&cookie, &ticket))).await.code(), code);
        assert_eq!(core.send(socket(&cookie, &ticket)).await.code(), ErrorCode::BadTicket);
    }
}

#[tokio::test]
async fn a_ticket_is_of_no_use_for_something_else() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    let id = "00000000-0000-4000-8000-000000000000";
    let one = core.send(Ask::post(format!("/api/panes/{id}/cli/ticket")).by(&cookie)).await;
    assert_eq!(one.code(), ErrorCode::NotFound, "no ticket for a pane that does not exist");
    let many = json!({ "panes": vec![id; 17] });
    let many = core.send(Ask::post("/api/tickets").by(&cookie).json(&many)).await;
    assert_eq!(many.code(), ErrorCode::TooLarge);
    let none = core.send(Ask::get("/api/events").by(&cookie).upgrade()).await;
    assert_eq!(none.code(), ErrorCode::BadTicket);
}
