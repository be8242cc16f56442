//! What a route asks of its caller, judged here for every route and nowhere else.
//!
//! The rules are few, and the table in [`crate::router`] names one for each route: there is no
//! route without. A cookie comes along with whatever page sends the request, so a caller with a
//! cookie must also come from our page; somebody on the core's own socket has no page.

use axum::extract::{FromRequestParts as _, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{AUTHORIZATION, COOKIE, ORIGIN, UPGRADE};
use http::request::Parts;
use http::{HeaderMap, Method};
use pane::ticket::Opens;
use wire::browser::CallerKind;
use wire::{ErrorCode, PaneId};

use super::{Caller, tickets};
use crate::error::ApiError;
use crate::listen::Peer;
use crate::state::App;

/// What a route asks of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody, though not from another page.
    Anybody,
    /// Somebody who is known, and not from another page.
    Caller,
    /// The same with an unused ticket, to open a socket.
    Ticket,
    /// A ticket to open a socket, a known caller for the same as a stream.
    TicketOrCaller,
    /// Whoever came through the core's own socket.
    Local,
}

/// Lets a request through to its handler, with its [`Caller`] and its ticket's grant.
///
/// # Errors
///
/// `unauthorized`, `bad_origin`, `bad_ticket`; `store_down` when nobody can tell who is asking.
pub async fn guard(
    State((app, access)): State<(App, Access)>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let opening = match access {
        Access::Ticket => true,
        Access::TicketOrCaller => parts.headers.contains_key(UPGRADE),
        Access::Anybody | Access::Caller | Access::Local => false,
    };
    let local = parts.extensions.get::<Peer>().is_some_and(Peer::is_local);
    if access == Access::Local && !local {
        return Err(ApiError::new(ErrorCode::Forbidden, "This is asked on the core's own socket."));
    }
    let target = if opening { Some(target(&mut parts).await?) } else { None };
    let caller = caller(&app, &parts).await;
    let known = caller.as_ref().ok().and_then(Option::as_ref);
    let origin = app.doors.our_origin(&parts.headers);
    // Before anything can refuse: the ticket of a refused request is spent too.
    let grant = target.map(|opens| {
        let token = tickets::presented(&parts);
        app.tickets.redeem(token, known, opens, origin, app.clock.now())
    });
    admit_page(&parts, origin.is_some(), known)?;
    if access != Access::Anybody {
        let caller = caller?.ok_or_else(|| {
            ApiError::new(ErrorCode::Unauthorized, "Nobody is signed in. Run `glasshouse signin`.")
        })?;
        if let Some(peer) = parts.extensions.get::<Peer>() {
            peer.on_known();
        }
        parts.extensions.insert(caller);
    }
    if let Some(grant) = grant {
        parts.extensions.insert(grant?);
    }
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// What a ticket must be for.
async fn target(parts: &mut Parts) -> Result<Opens, ApiError> {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(ApiError::internal)?;
    let id = params.iter().find(|(name, _)| *name == "id").map(|(_, id)| id.parse::<PaneId>());
    match id {
        None => Ok(Opens::Events),
        Some(Ok(pane)) => Ok(Opens::Pane(pane)),
        Some(Err(_)) => Err(ApiError::not_found("pane")),
    }
}

/// Who is asking: none when nobody is known.
async fn caller(app: &App, parts: &Parts) -> Result<Option<Caller>, ApiError> {
    if parts.extensions.get::<Peer>().is_some_and(Peer::is_local) {
        let owner = app.store.owner();
        return Ok(Some(Caller {
            id: owner.id,
            name: owner.name.clone(),
            kind: CallerKind::Person,
            owner: true,
            signin: None,
        }));
    }
    // No token is known yet; whoever sends one must not be taken for the cookie beside it.
    if parts.headers.contains_key(AUTHORIZATION) {
        return Ok(None);
    }
    let name = app.doors.cookie(&parts.headers).name;
    match cookie(&parts.headers, &name) {
        Some(value) => Ok(app.signins.caller(&app.store, value, app.clock.now()).await?),
        None => Ok(None),
    }
}

/// The value of a cookie that came exactly once.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut found = pairs
        .flat_map(|pairs| pairs.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(|(key, value)| (key == name).then_some(value));
    let value = found.next()?;
    if found.next().is_some() { None } else { Some(value) }
}

/// Turns away what another page sends. A caller with a cookie must name our page on everything
/// that changes something and on every upgrade.
fn admit_page(parts: &Parts, ours: bool, caller: Option<&Caller>) -> Result<(), ApiError> {
    if ours || parts.extensions.get::<Peer>().is_some_and(Peer::is_local) {
        return Ok(());
    }
    let reads =
        matches!(parts.method, Method::GET | Method::HEAD) && !parts.headers.contains_key(UPGRADE);
    let by_cookie = caller.is_some_and(|caller| caller.signin.is_some());
    let foreign = parts.headers.contains_key(ORIGIN) || fetched_elsewhere(&parts.headers);
    if foreign || by_cookie && !reads {
        return Err(ApiError::new(
            ErrorCode::BadOrigin,
            "This request did not come from Glasshouse's own page. If it did, start the core with \
             --origin and the address in the browser's bar.",
        ));
    }
    Ok(())
}

/// Whether a browser says that another page sent this. Reads carry no `Origin` everywhere.
fn fetched_elsewhere(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(http::HeaderValue::as_bytes);
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    matches!(site, Some(b"cross-site" | b"same-site")) && !navigates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_whole_and_once() {
        let find = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(COOKIE, line.parse().unwrap());
            }
            cookie(&headers, "glasshouse_1").map(ToOwned::to_owned)
        };
        assert_eq!(find(&["a=b; glasshouse_1=x"]), Some("x".to_owned()));
        assert_eq!(find(&["glasshouse_1=x=y"]), Some("x=y".to_owned()));
        assert_eq!(find(&["xglasshouse_1=x; glasshouse_11=y"]), None);
        assert_eq!(find(&["glasshouse_1=x", "glasshouse_1=y"]), None);
        assert_eq!(find(&[]), None);
    }
}
