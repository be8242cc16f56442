//! Every route against everybody who might ask. The rows below are written by hand, so a route
//! that is added without one fails here.

use std::collections::BTreeSet;

use app::auth::guard::Access;
use app::router::ROUTES;
use http::header::{COOKIE, HOST, ORIGIN};
use http::{Method, StatusCode};
use wire::ErrorCode;

use crate::support::{Ask, Core};

const ID: &str = "00000000-0000-4000-8000-000000000000";

const ROWS: &[(&str, &str, Access)] = &[
    ("GET", "/healthz", Access::Anybody),
    ("GET", "/readyz", Access::Anybody),
    ("GET", "/metrics", Access::Caller),
    ("POST", "/api/signin", Access::Anybody),
    ("POST", "/api/signin/address", Access::Local),
    ("POST", "/api/signout", Access::Caller),
    ("GET", "/api/me", Access::Caller),
    ("GET", "/api/rooms", Access::Caller),
    ("POST", "/api/rooms", Access::Caller),
    ("GET", "/api/rooms/{id}", Access::Caller),
    ("PATCH", "/api/rooms/{id}", Access::Caller),
    ("DELETE", "/api/rooms/{id}", Access::Caller),
    ("POST", "/api/rooms/{id}/panes", Access::Caller),
    ("GET", "/api/panes/{id}", Access::Caller),
    ("PATCH", "/api/panes/{id}", Access::Caller),
    ("DELETE", "/api/panes/{id}", Access::Caller),
    ("POST", "/api/panes/{id}/start", Access::Caller),
    ("POST", "/api/panes/{id}/stop", Access::Caller),
    ("POST", "/api/panes/{id}/restart", Access::Caller),
    ("POST", "/api/panes/{id}/cli/ticket", Access::Caller),
    ("GET", "/api/panes/{id}/cli/terminal", Access::Ticket),
    ("POST", "/api/tickets", Access::Caller),
    ("GET", "/api/sessions", Access::Caller),
    ("GET", "/api/sessions/{id}", Access::Caller),
    ("GET", "/api/sessions/{id}/transcript", Access::Caller),
    ("GET", "/api/folders", Access::Caller),
    ("POST", "/api/folders", Access::Caller),
    ("DELETE", "/api/folders/{id}", Access::Caller),
    ("GET", "/api/profiles", Access::Caller),
    ("GET", "/api/events", Access::TicketOrCaller),
    ("GET", "/api/openapi.json", Access::Anybody),
];

/// Who asks, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    BadCookie,
    TwoCookies,
    BearerBesideCookie,
    ForeignOrigin,
    NullOrigin,
    OtherSite,
    NoOrigin,
    ForeignHost,
    NoHost,
    Ours,
}

const EVERYBODY: [Who; 11] = [
    Who::Nobody,
    Who::BadCookie,
    Who::TwoCookies,
    Who::BearerBesideCookie,
    Who::ForeignOrigin,
    Who::NullOrigin,
    Who::OtherSite,
    Who::NoOrigin,
    Who::ForeignHost,
    Who::NoHost,
    Who::Ours,
];

fn dressed(ask: Ask, who: Who, cookie: &str) -> Ask {
    match who {
        Who::Nobody => ask.ours(),
        Who::BadCookie => ask.by("glasshouse_4911=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        Who::TwoCookies => ask.by(&format!("{cookie}; glasshouse_4911=x")),
        Who::BearerBesideCookie => {
            ask.by(cookie).header(http::header::AUTHORIZATION, "Bearer nonsense")
        }
        Who::ForeignOrigin => ask.by(cookie).header(ORIGIN, "http://127.0.0.1:4912"),
        Who::NullOrigin => ask.by(cookie).header(ORIGIN, "null"),
        Who::OtherSite => ask
            .header(COOKIE, cookie)
            .header(http::HeaderName::from_static("sec-fetch-site"), "same-site"),
        Who::NoOrigin => ask.header(COOKIE, cookie),
        Who::ForeignHost => ask.by(cookie).header(HOST, "127.0.0.1.nip.test:4911"),
        Who::NoHost => ask.by(cookie).header(HOST, ""),
        Who::Ours => ask.by(cookie),
    }
}

/// The refusal that is right; none when the door is open.
fn right(access: Access, reads: bool, who: Who) -> Option<(StatusCode, ErrorCode)> {
    let foreign = Some((StatusCode::FORBIDDEN, ErrorCode::BadOrigin));
    match who {
        Who::ForeignHost | Who::NoHost => {
            Some((StatusCode::MISDIRECTED_REQUEST, ErrorCode::BadHost))
        }
        _ if access == Access::Local => Some((StatusCode::FORBIDDEN, ErrorCode::Forbidden)),
        Who::ForeignOrigin | Who::NullOrigin | Who::OtherSite => foreign,
        Who::NoOrigin if !reads => foreign,
        Who::NoOrigin | Who::Ours => {
            (access == Access::Ticket).then_some((StatusCode::UNAUTHORIZED, ErrorCode::BadTicket))
        }
        Who::Nobody | Who::BadCookie | Who::TwoCookies | Who::BearerBesideCookie => (access
            != Access::Anybody)
            .then_some((StatusCode::UNAUTHORIZED, ErrorCode::Unauthorized)),
    }
}

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let rows: BTreeSet<_> =
        ROWS.iter().map(|(method, path, access)| format!("{method} {path} {access:?}")).collect();
    let routes: BTreeSet<_> = ROUTES
        .iter()
        .map(|route| format!("{} {} {:?}", route.method, route.path, route.access))
        .collect();
    assert_eq!(rows, routes);
}

#[tokio::test]
async fn every_route_turns_away_whom_it_should() {
    let core = Core::start().await;
    for (method, path, access) in ROWS {
        let method: Method = method.parse().unwrap();
        let opens = *access == Access::Ticket;
        let reads = method == Method::GET && !opens;
        let cookie = core.signin().await;
        for who in EVERYBODY {
            let ask = Ask::new(method.clone(), path.replace("{id}", ID));
            let ask = match (opens, reads) {
                (true, _) => ask.upgrade(),
                (false, true) => ask,
                (false, false) => ask.json(&serde_json::json!([])),
            };
            let answer = core.send(dressed(ask, who, &cookie)).await;
            let context = format!("{method} {path} by {who:?}: {}", answer.status);
            match right(*access, reads, who) {
                Some((status, code)) => {
                    assert_eq!(answer.status, status, "{context}");
                    assert_eq!(answer.code(), code, "{context}");
                }
                None => {
                    let turned_away = [401, 403, 421].contains(&answer.status.as_u16());
                    assert!(!turned_away, "{context}");
                    assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{context}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_page_and_what_is_no_route_ask_for_the_host_too() {
    let core = Core::start().await;
    for path in ["/", "/rooms/1", "/assets/x.js", "/api/nothing", "/api"] {
        let answer = core.send(Ask::get(path).header(HOST, "attacker.test")).await;
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{path}");
    }
    assert_eq!(core.send(Ask::get("/signin")).await.status, StatusCode::OK);
    assert_eq!(core.send(Ask::get("/api/nothing")).await.code(), ErrorCode::NotFound);
    assert_eq!(core.send(Ask::get("/assets/x.js")).await.status, StatusCode::NOT_FOUND);
    let answer = core.send(Ask::new(Method::PUT, "/api/rooms")).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn every_answer_protects_the_page() {
    let core = Core::start().await;
    for ask in [Ask::get("/"), Ask::get("/api/me"), Ask::get("/").header(HOST, "evil.test")] {
        let answer = core.send(ask).await;
        let policy = answer.headers[http::header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "connect-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert_eq!(answer.headers[http::header::REFERRER_POLICY], "no-referrer");
        assert_eq!(answer.headers[http::header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(answer.headers.contains_key(http::header::CACHE_CONTROL));
    }
}

#[tokio::test]
async fn a_body_over_its_limit_is_refused() {
    let core = Core::start().await;
    let cookie = core.signin().await;
    let body = serde_json::json!({ "name": "x".repeat(100_000) });
    let answer = core.send(Ask::post("/api/rooms").by(&cookie).json(&body)).await;
    assert_eq!(
        (answer.status, answer.code()),
        (StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge)
    );
}

#[tokio::test]
async fn the_page_is_not_sent_again_to_who_has_it() {
    let core = Core::start().await;
    let first = core.send(Ask::get("/rooms")).await;
    assert_eq!(first.headers[http::header::CACHE_CONTROL], "no-cache");
    let etag = first.headers[http::header::ETAG].to_str().unwrap();
    let again = core.send(Ask::get("/").header(http::header::IF_NONE_MATCH, etag)).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
}
