//! Signing in and out.

use std::time::Duration;

use futures_util::future::join_all;
use http::StatusCode;
use http::header::{HOST, ORIGIN, SET_COOKIE};
use serde_json::json;
use wire::ErrorCode;

use crate::support::{Ask, Core, send};

#[tokio::test]
async fn a_printed_address_signs_in_once_however_many_try() {
    let core = Core::start().await;
    let body = json!({ "token": core.signin_token().await });
    let tries = (0..50).map(|_| {
        tokio::spawn(send(core.router.clone(), Ask::post("/api/signin").ours().json(&body)))
    });
    let mut opened = 0;
    for answer in join_all(tries).await {
        match answer.unwrap() {
            answer if answer.status == StatusCode::NO_CONTENT => opened += 1,
            answer => assert_eq!(answer.code(), ErrorCode::Unauthorized),
        }
    }
    assert_eq!(opened, 1);
}

#[tokio::test]
async fn a_cookie_is_of_no_use_to_scripts_or_other_sites() {
    let core = Core::start().await;
    let body = json!({ "token": core.signin_token().await });
    let answer = core.send(Ask::post("/api/signin").ours().json(&body)).await;
    let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("glasshouse_4911="), "{cookie}");
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "a plain address cannot have it: {cookie}");
}

#[tokio::test]
async fn another_page_cannot_sign_its_visitor_in() {
    let core = Core::start().await;
    let body = json!({ "token": core.signin_token().await });
    let ask = || Ask::post("/api/signin").json(&body);
    let answer = core.send(ask().header(ORIGIN, "https://evil.test")).await;
    assert_eq!(answer.code(), ErrorCode::BadOrigin);
    assert_eq!(core.send(ask().ours()).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn signing_out_ends_the_cookie_its_tickets_and_whoever_follows() {
    let core = Core::start().await;
    let (ours, other) = (core.signin().await, core.signin().await);
    let asked = Ask::post("/api/tickets").by(&ours).json(&json!({ "events": true }));
    let ticket = core.send(asked).await.json()["events"].as_str().unwrap().to_owned();
    assert_eq!(core.send(Ask::post("/api/signout").by(&ours)).await.status, StatusCode::NO_CONTENT);
    assert_eq!(core.send(Ask::get("/api/me").by(&ours)).await.code(), ErrorCode::Unauthorized);
    assert_eq!(core.send(Ask::get("/api/me").by(&other)).await.status, StatusCode::OK);
    let socket = Ask::get("/api/events").by(&other).upgrade().ticket(&ticket);
    assert_eq!(core.send(socket).await.code(), ErrorCode::BadTicket);
}

#[tokio::test]
async fn a_store_that_is_gone_signs_nobody_out() {
    let core = Core::start().await;
    let (known, revoked) = (core.signin().await, core.signin().await);
    core.app.store.close().await;
    let me = core.send(Ask::get("/api/me").by(&known)).await;
    assert_eq!((me.status, me.json()["storeUp"].clone()), (StatusCode::OK, json!(false)));
    let rooms = core.send(Ask::get("/api/rooms").by(&known)).await;
    assert_eq!((rooms.status.as_u16(), rooms.code()), (503, ErrorCode::StoreDown));
    // Long past the time for which a sign-in is believed.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(600)).await;
    assert_eq!(core.send(Ask::get("/api/me").by(&known)).await.status, StatusCode::OK);
    // Signing out holds at once all the same.
    let signout = core.send(Ask::post("/api/signout").by(&revoked)).await;
    assert_eq!(signout.status, StatusCode::NO_CONTENT);
    let me = core.send(Ask::get("/api/me").by(&revoked)).await;
    assert!(matches!(me.code(), ErrorCode::StoreDown | ErrorCode::Unauthorized));
}

#[tokio::test]
async fn the_refusal_of_a_host_names_the_setting() {
    let core = Core::start().await;
    let answer = core.send(Ask::get("/").header(HOST, "glass.example")).await;
    let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("--origin https://glass.example"), "{message}");
}
