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
use wire::event::EventEnvelope;
use wire::http::{
    Folder, FolderList, Me, NewFolder, NewPane, NewRoom, Pane, PatchPane, PatchRoom, ProfileList,
    Room, RoomDetail, RoomList, Session, SigninRequest, StartPane, TicketReply, TicketRequest,
    TicketsReply, TicketsRequest, TranscriptReply,
};

use crate::auth::guard::{Access, guard};
use crate::error::ApiError;
use crate::front;
use crate::http::health::Ready;
use crate::http::openapi::{Describe, describe};
use crate::http::sessions::SessionList;
use crate::http::signin::Address;
use crate::http::{
    assets, events, folders, health, me, openapi, panes, profiles, rooms, sessions, signin,
    tickets, transcript,
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
    pub(crate) takes: Describe,
    pub(crate) gives: Describe,
}

macro_rules! routes {
    ($($method:ident $verb:ident $path:literal $access:ident $handler:path, $in:ty => $out:ty;)*) => {
        /// Every route.
        pub const ROUTES: &[Route] = &[$(Route {
            method: Method::$method,
            path: $path,
            access: Access::$access,
            handler: || $verb($handler),
            takes: describe::<$in>,
            gives: describe::<$out>,
        }),*];
    };
}

routes! {
    GET    get    "/healthz"                     Anybody          health::alive,         () => ();
    GET    get    "/readyz"                      Anybody          health::ready,         () => Ready;
    GET    get    "/metrics"                     Caller           health::metrics,       () => ();
    POST   post   "/api/signin"                  Anybody          signin::signin,        SigninRequest => ();
    POST   post   "/api/signin/address"          Local            signin::address,       () => Address;
    POST   post   "/api/signout"                 Caller           signin::signout,       () => ();
    GET    get    "/api/me"                      Caller           me::me,                () => Me;
    GET    get    "/api/rooms"                   Caller           rooms::list,           () => RoomList;
    POST   post   "/api/rooms"                   Caller           rooms::create,         NewRoom => Room;
    GET    get    "/api/rooms/{id}"              Caller           rooms::get,            () => RoomDetail;
    PATCH  patch  "/api/rooms/{id}"              Caller           rooms::patch,          PatchRoom => Room;
    DELETE delete "/api/rooms/{id}"              Caller           rooms::delete,         () => ();
    POST   post   "/api/rooms/{id}/panes"        Caller           panes::create,         NewPane => Pane;
    GET    get    "/api/panes/{id}"              Caller           panes::get,            () => Pane;
    PATCH  patch  "/api/panes/{id}"              Caller           panes::patch,          PatchPane => Pane;
    DELETE delete "/api/panes/{id}"              Caller           panes::delete,         () => ();
    POST   post   "/api/panes/{id}/start"        Caller           panes::start,          StartPane => Pane;
    POST   post   "/api/panes/{id}/stop"         Caller           panes::stop,           () => Pane;
    POST   post   "/api/panes/{id}/restart"      Caller           panes::restart,        StartPane => Pane;
    POST   post   "/api/panes/{id}/cli/ticket"   Caller           tickets::one,          TicketRequest => TicketReply;
    GET    get    "/api/panes/{id}/cli/terminal" Ticket           panes::terminal,       () => ();
    POST   post   "/api/tickets"                 Caller           tickets::many,         TicketsRequest => TicketsReply;
    GET    get    "/api/sessions"                Caller           sessions::list,        () => SessionList;
    GET    get    "/api/sessions/{id}"           Caller           sessions::get,         () => Session;
    GET    get    "/api/sessions/{id}/transcript" Caller          transcript::transcript, () => TranscriptReply;
    GET    get    "/api/folders"                 Caller           folders::list,         () => FolderList;
    POST   post   "/api/folders"                 Caller           folders::add,          NewFolder => Folder;
    DELETE delete "/api/folders/{id}"            Caller           folders::remove,       () => ();
    GET    get    "/api/profiles"                Caller           profiles::list,        () => ProfileList;
    GET    get    "/api/events"                  TicketOrCaller   events::follow,        () => EventEnvelope;
    GET    get    "/api/openapi.json"            Anybody          openapi::document,     () => ();
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
