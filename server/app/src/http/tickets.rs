//! Tickets, one or many at once. Never by GET: an image in another page must not get one.

use std::time::Duration;

use axum::extract::State;
use axum::{Extension, Json};
use http::HeaderMap;
use pane::ticket::Opens;
use store::StoreError;
use wire::http::{
    PaneTicket, TicketMode, TicketReply, TicketRequest, TicketsReply, TicketsRequest,
};
use wire::{ErrorCode, PaneId, ViewerId, limits};

use super::answer::{Body, Id, OptionalBody};
use crate::auth::Caller;
use crate::auth::tickets::Wish;
use crate::error::ApiError;
use crate::state::App;

/// How long the store may take to tell whether a pane exists.
const STORE_WITHIN: Duration = Duration::from_millis(300);

/// `POST /api/panes/{id}/cli/ticket`.
pub(crate) async fn one(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Id(pane): Id<PaneId>,
    OptionalBody(asked): OptionalBody<TicketRequest>,
) -> Result<Json<TicketReply>, ApiError> {
    if exists(&app, pane).await? == Some(false) {
        return Err(ApiError::not_found("pane"));
    }
    let issue = Issue::new(&app, &caller, &headers, asked.viewer, asked.mode);
    let ticket = issue.ticket(Opens::Pane(pane));
    Ok(Json(TicketReply { ticket, expires_in_ms: limits::TICKET_TTL_MS }))
}

/// `POST /api/tickets`.
pub(crate) async fn many(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(asked): Body<TicketsRequest>,
) -> Result<Json<TicketsReply>, ApiError> {
    if asked.panes.len() > usize::try_from(limits::TICKETS_PER_REQUEST).unwrap_or(0) {
        let most = format!("At most {} panes at once.", limits::TICKETS_PER_REQUEST);
        return Err(ApiError::new(ErrorCode::TooLarge, most));
    }
    let issue = Issue::new(&app, &caller, &headers, asked.viewer, asked.mode);
    let mut panes = Vec::with_capacity(asked.panes.len());
    let mut store_answers = true;
    for pane in asked.panes {
        let exists = if store_answers { exists(&app, pane).await? } else { None };
        store_answers = exists.is_some();
        if exists != Some(false) {
            panes.push(PaneTicket { pane, ticket: issue.ticket(Opens::Pane(pane)) });
        }
    }
    let events = (asked.events == Some(true)).then(|| issue.ticket(Opens::Events));
    Ok(Json(TicketsReply { panes, events, expires_in_ms: limits::TICKET_TTL_MS }))
}

/// Whether a pane exists; none while the store does not answer. Then the socket will tell: a page
/// that comes back must not wait for a store to see what goes on without it.
async fn exists(app: &App, pane: PaneId) -> Result<Option<bool>, ApiError> {
    match tokio::time::timeout(STORE_WITHIN, app.store.pane(pane)).await {
        Ok(Ok(_)) => Ok(Some(true)),
        Ok(Err(StoreError::NotFound(_))) => Ok(Some(false)),
        Ok(Err(StoreError::Down(_))) | Err(_) => Ok(None),
        Ok(Err(error)) => Err(error.into()),
    }
}

struct Issue<'a> {
    app: &'a App,
    caller: &'a Caller,
    origin: Option<String>,
    viewer: ViewerId,
    mode: TicketMode,
}

impl<'a> Issue<'a> {
    fn new(
        app: &'a App,
        caller: &'a Caller,
        headers: &HeaderMap,
        viewer: Option<ViewerId>,
        mode: Option<TicketMode>,
    ) -> Self {
        Self {
            app,
            caller,
            origin: app.doors.our_origin(headers).map(ToOwned::to_owned),
            viewer: viewer.unwrap_or_else(|| ViewerId::from_random(app.rng.bytes())),
            mode: mode.unwrap_or(TicketMode::Control),
        }
    }

    fn ticket(&self, opens: Opens) -> String {
        let wish = Wish { opens, viewer: self.viewer, mode: self.mode };
        let (app, origin) = (self.app, self.origin.clone());
        app.tickets.issue(app.rng, app.clock.now(), self.caller, origin, wish)
    }
}
