//! What happens to every request before it is routed and to every answer before it leaves.
//!
//! The order matters: the host name is judged first, on every route, page and error alike, so that
//! a rebound name learns nothing; headers that protect the page are set last, on errors too.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, header};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::sensitive_headers::SetSensitiveHeadersLayer;
use wire::ErrorCode;

use crate::error::ApiError;
use crate::http::answer::BODY_MAX_BYTES;
use crate::listen::Peer;
use crate::state::App;

/// How long a request may take, its body included. Ending a session takes longest: HUP, TERM and
/// KILL are 5 s apart, and the host has 15 s to answer.
const REQUEST_WITHIN: Duration = Duration::from_secs(20);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Headers whose values never reach a log.
const SECRET: [HeaderName; 4] =
    [header::AUTHORIZATION, header::COOKIE, header::SET_COOKIE, header::SEC_WEBSOCKET_PROTOCOL];

/// `style-src 'unsafe-inline'`: xterm.js draws its cells with style elements. Trusted Types: the
/// page's one policy, `default`, lets its templates through.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
     worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; \
     require-trusted-types-for 'script'; trusted-types default",
);

const PROTECTION: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Puts the front before the routes.
pub fn before(routes: Router, app: &App) -> Router {
    let routes =
        routes.layer(middleware::from_fn(traced)).layer(DefaultBodyLimit::max(BODY_MAX_BYTES));
    // A router of nothing but a fallback, so that these run before any route is looked for.
    Router::new()
        .fallback_service(routes)
        .layer(CatchPanicLayer::custom(on_panic))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(app.clone(), our_host))
        .layer(SetSensitiveHeadersLayer::new(SECRET))
        .layer(middleware::from_fn_with_state(app.clone(), marked))
}

/// Names the request and protects the answer.
async fn marked(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let id = app.rng.bytes::<8>().map(|byte| format!("{byte:02x}")).concat();
    let id = HeaderValue::from_str(&id).expect("hex is a header's value");
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    for (name, value) in PROTECTION {
        headers.insert(name, value);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Turns away requests for a host that is not ours.
async fn our_host(State(app): State<App>, request: Request, next: Next) -> Response {
    let local = request.extensions().get::<Peer>().is_some_and(Peer::is_local);
    match app.doors.admit_host(request.headers(), request.uri()) {
        Err(refused) if !local => {
            let named = refused.named.unwrap_or_else(|| "no single host".to_owned());
            let message = format!(
                "This core does not answer for {}. To reach it by that name, start it with \
                 --origin, such as --origin https://{0}.",
                named.escape_debug()
            );
            ApiError::new(ErrorCode::BadHost, message).into_response()
        }
        Ok(()) | Err(_) => next.run(request).await,
    }
}

/// Answers in time, whatever becomes of the handler.
async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(REQUEST_WITHIN, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::new(ErrorCode::Timeout, "This took too long. It may still happen.")
            .into_response(),
    }
}

/// Logs a request by its route's template: paths hold ids and queries hold tickets.
async fn traced(request: Request, next: Next) -> Response {
    let begun = std::time::Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("-", MatchedPath::as_str);
    let (method, id) = (request.method().clone(), request.headers().get(REQUEST_ID).cloned());
    let response = next.run(request).await;
    let status = response.status();
    let took_ms = begun.elapsed().as_millis();
    if status.is_server_error() {
        tracing::warn!(%method, route, ?id, %status, took_ms, "answered");
    } else {
        tracing::debug!(%method, route, ?id, %status, took_ms, "answered");
    }
    response
}

/// A handler panicked: its request fails and nothing else.
#[expect(clippy::needless_pass_by_value, reason = "catch-panic gives the cause away")]
fn on_panic(cause: Box<dyn Any + Send>) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words");
    ApiError::internal(cause).into_response()
}
