//! A core without sockets: requests go into its router.

use app::auth::signin;
use app::config::Settings;
use app::router::router;
use app::state::App;
use axum::Router;
use axum::body::Body;
use http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN, SET_COOKIE};
use http::{HeaderMap, HeaderName, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use store::{Fresh, Store};
use tower::ServiceExt as _;
use wire::{CallerId, ErrorCode, ErrorReply, StoreId};

/// The port the core believes to listen on.
pub(crate) const OUR_HOST: &str = "127.0.0.1:4911";
pub(crate) const OUR_ORIGIN: &str = "http://127.0.0.1:4911";

/// A core and its data.
pub(crate) struct Core {
    pub(crate) app: App,
    pub(crate) router: Router,
    _data: tempfile::TempDir,
}

/// An answer, read whole.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// A request to be sent. Begins as one from a stranger who names our host.
pub(crate) struct Ask {
    method: Method,
    path: String,
    headers: Vec<(HeaderName, String)>,
    body: Vec<u8>,
}

impl Core {
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let settings = Settings { data: Some(data.path().to_owned()), ..Settings::default() };
        let config = settings.check().unwrap();
        let fresh = Fresh {
            store: StoreId::from_random([1; 16]),
            owner: CallerId::from_random([2; 16]),
            now_ms: 0,
        };
        let store = Store::open(&config.store, fresh).await.unwrap();
        let app = App::new(config, 4911, store);
        Self { router: router(&app), app, _data: data }
    }

    /// Sends a request.
    pub(crate) async fn send(&self, ask: Ask) -> Answer {
        send(self.router.clone(), ask).await
    }

    /// A token as it stands in the printed address.
    pub(crate) async fn signin_token(&self) -> String {
        let address = signin::address(&self.app).await.unwrap();
        address.split_once('#').unwrap().1.to_owned()
    }

    /// Signs in as a page would, and answers the cookie.
    pub(crate) async fn signin(&self) -> String {
        let body = serde_json::json!({ "token": self.signin_token().await });
        let answer = self.send(Ask::post("/api/signin").ours().json(&body)).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
        cookie.split_once(';').unwrap().0.to_owned()
    }
}

/// Sends a request into a router.
pub(crate) async fn send(router: Router, ask: Ask) -> Answer {
    let mut request = Request::builder().method(ask.method).uri(ask.path);
    for (name, value) in ask.headers {
        request = request.header(name, value);
    }
    let response = router.oneshot(request.body(Body::from(ask.body)).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    // An event stream has no end: what it says is not read here.
    let streams = parts.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    let body = if streams { Vec::new() } else { body.collect().await.unwrap().to_bytes().to_vec() };
    Answer { status: parts.status, headers: parts.headers, body }
}

impl Ask {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        let headers = vec![(HOST, OUR_HOST.to_owned())];
        Self { method, path: path.into(), headers, body: Vec::new() }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    pub(crate) fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn ours(self) -> Self {
        self.header(ORIGIN, OUR_ORIGIN)
    }

    /// From our page, signed in.
    pub(crate) fn by(self, cookie: &str) -> Self {
        self.ours().header(COOKIE, cookie)
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.body = serde_json::to_vec(body).unwrap();
        self.header(CONTENT_TYPE, "application/json")
    }

    /// Asks for a WebSocket.
    pub(crate) fn upgrade(self) -> Self {
        self.header(http::header::CONNECTION, "upgrade")
            .header(http::header::UPGRADE, "websocket")
            .header(http::header::SEC_WEBSOCKET_VERSION, "13")
            .header(http::header::SEC_WEBSOCKET_KEY, "dGhlIHNhbXBsZSBub25jZQ==")
    }

    /// Carries a ticket as a browser does.
    pub(crate) fn ticket(self, ticket: &str) -> Self {
        let offered = format!("glasshouse.v1, ticket.{ticket}");
        self.header(http::header::SEC_WEBSOCKET_PROTOCOL, offered)
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> ErrorCode {
        serde_json::from_slice::<ErrorReply>(&self.body).unwrap().error.code
    }
}
