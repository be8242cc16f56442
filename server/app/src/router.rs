//! The one table of routes, with what each asks of its caller.
//!
//! A route can only be added here, with its [`Access`]; the guard is put before its handler from
//! this table, and the tests walk the same table, so none can be forgotten.

use axum::Router;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, delete, get, patch, post};
use http::{Method, StatusCode, Uri};
use wire::ErrorCode;

use crate::auth::guard::{Access, guard};
use crate::error::ApiError;
use crate::front;
use crate::http::{
    assets, events, folders, health, me, panes, profiles, rooms, sessions, signin, tickets,
};
use crate::state::App;

/// A route.
#[derive(Debug)]
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path's template.
    pub path: &'static str,
    /// What it asks of its caller.
    pub access: Access,
    handler: fn() -> MethodRouter<App>,
}

macro_rules! routes {
    ($($method:ident $verb:ident $path:literal $access:ident $handler:expr;)*) => {
        /// Every route.
        pub const ROUTES: &[Route] = &[$(Route {
            method: Method::$method,
            path: $path,
            access: Access::$access,
            handler: || $verb($handler),
        }),*];
    };
}

routes! {
    GET    get    "/healthz"                     Anybody          health::alive;
    GET    get    "/readyz"                      Anybody          health::ready;
    GET    get    "/metrics"                     Caller           health::metrics;
    POST   post   "/api/signin"                  Anybody          signin::signin;
    POST   post   "/api/signin/address"          Local            signin::address;
    POST   post   "/api/signout"                 Caller           signin::signout;
    GET    get    "/api/me"                      Caller           me::me;
    GET    get    "/api/rooms"                   Caller           rooms::list;
    POST   post   "/api/rooms"                   Caller           rooms::create;
    GET    get    "/api/rooms/{id}"              Caller           rooms::get;
    PATCH  patch  "/api/rooms/{id}"              Caller           rooms::patch;
    DELETE delete "/api/rooms/{id}"              Caller           rooms::delete;
    POST   post   "/api/rooms/{id}/panes"        Caller           panes::create;
    GET    get    "/api/panes/{id}"              Caller           panes::get;
    PATCH  patch  "/api/panes/{id}"              Caller           panes::patch;
    DELETE delete "/api/panes/{id}"              Caller           panes::delete;
    POST   post   "/api/panes/{id}/start"        Caller           panes::start;
    POST   post   "/api/panes/{id}/stop"         Caller           panes::stop;
    POST   post   "/api/panes/{id}/restart"      Caller           panes::restart;
    POST   post   "/api/panes/{id}/cli/ticket"   Caller           tickets::one;
    POST   post   "/api/tickets"                 Caller           tickets::many;
    GET    get    "/api/sessions"                Caller           sessions::list;
    GET    get    "/api/sessions/{id}"           Caller           sessions::get;
    GET    get    "/api/folders"                 Caller           folders::list;
    POST   post   "/api/folders"                 Caller           folders::add;
    DELETE delete "/api/folders/{id}"            Caller           folders::remove;
    GET    get    "/api/profiles"                Caller           profiles::list;
    GET    get    "/api/events"                  TicketOrCaller   events::follow;
}

/// Everything the core answers.
pub fn router(app: &App) -> Router {
    let mut routes = Router::new();
    for route in ROUTES {
        let guarded = middleware::from_fn_with_state((app.clone(), route.access), guard);
        routes = routes.route(route.path, (route.handler)().route_layer(guarded));
    }
    let routes = routes
        .fallback(otherwise)
        .method_not_allowed_fallback(no_such_method)
        .with_state(app.clone());
    front::before(routes, app)
}

/// The page, for whatever is no part of the interface.
async fn otherwise(method: Method, uri: Uri, headers: http::HeaderMap) -> Response {
    if uri.path() == "/api" || uri.path().starts_with("/api/") {
        return ApiError::not_found("route").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return no_such_method().await;
    }
    assets::answer(uri.path(), &headers)
}

async fn no_such_method() -> Response {
    let mut response =
        ApiError::new(ErrorCode::Unsupported, "This route does not know this method.")
            .into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}
