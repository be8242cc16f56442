//! The unused tickets, and what it takes to redeem one.
//!
//! Whatever comes with an upgrade is taken out first and judged after, so a ticket opens one
//! socket however often and by whomever it is presented.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use http::header::SEC_WEBSOCKET_PROTOCOL;
use http::request::Parts;
use pane::ticket::{self, Grant, Opens};
use wire::browser::CallerKind;
use wire::host::By;
use wire::http::TicketMode;
use wire::{ErrorCode, SigninId, ViewerId};

use super::Caller;
use crate::error::ApiError;
use crate::random::Random;

/// How a browser carries a ticket, among the subprotocols it offers.
const PROTOCOL_PREFIX: &str = "ticket.";
/// How other clients carry it, in the query.
const QUERY_PREFIX: &str = "ticket=";

/// Tickets that wait for their sockets.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<ticket::Tickets>);

impl Tickets {
    /// Issues a ticket to a caller. `origin` is the page it asked from, if it is one.
    pub fn issue(
        &self,
        rng: Random,
        now: Instant,
        caller: &Caller,
        origin: Option<String>,
        wish: Wish,
    ) -> String {
        let token = rng.token();
        let by = By {
            caller: caller.id,
            viewer: wish.viewer,
            name: caller.name.clone(),
            kind: caller.kind,
            owner: caller.owner,
        };
        let read_only = wish.mode == TicketMode::Watch || caller.kind == CallerKind::Guest;
        let grant = Grant { by, signin: caller.signin, opens: wish.opens, read_only, origin };
        self.lock().issue(token.as_bytes(), grant, now);
        token
    }

    /// Redeems a ticket that `caller` presents for `opens`.
    ///
    /// # Errors
    ///
    /// `bad_ticket`; the ticket is spent all the same.
    pub fn redeem(
        &self,
        token: Option<&str>,
        caller: Option<&Caller>,
        opens: Opens,
        origin: Option<&str>,
        now: Instant,
    ) -> Result<Grant, ApiError> {
        let bad = |why: String| ApiError::new(ErrorCode::BadTicket, why);
        let token = token.ok_or_else(|| bad("A socket is opened with a ticket.".to_owned()))?;
        let grant = self
            .lock()
            .redeem(token.as_bytes(), opens, origin, now)
            .map_err(|refusal| bad(format!("{refusal}: ask for a new one")))?;
        match caller {
            Some(caller) if caller.id == grant.by.caller => Ok(grant),
            _ => Err(bad("the ticket was issued to somebody else".to_owned())),
        }
    }

    /// Voids every ticket that was issued under a sign-in.
    pub fn void(&self, signin: SigninId) {
        self.lock().void(|grant| grant.signin == Some(signin));
    }

    fn lock(&self) -> MutexGuard<'_, ticket::Tickets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a ticket is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// What it will open.
    pub opens: Opens,
    /// The viewer that will open it.
    pub viewer: ViewerId,
    /// What that viewer may do.
    pub mode: TicketMode,
}

/// The ticket that a request carries.
pub fn presented(request: &Parts) -> Option<&str> {
    let offered = request.headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
    let offered = offered.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    let mut carried = offered.filter_map(|name| name.trim().strip_prefix(PROTOCOL_PREFIX));
    let query = || request.uri.query()?.split('&').find_map(|part| part.strip_prefix(QUERY_PREFIX));
    carried.next().or_else(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(uri: &str, protocols: &[&str]) -> Parts {
        let mut request = http::Request::builder().uri(uri);
        for protocol in protocols {
            request = request.header(SEC_WEBSOCKET_PROTOCOL, *protocol);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn a_ticket_is_found_among_the_subprotocols_or_in_the_query() {
        for (uri, protocols, found) in [
            ("/t", &["glasshouse.v1, ticket.abc"][..], Some("abc")),
            ("/t", &["glasshouse.v1", "ticket.abc"], Some("abc")),
            ("/t?after=3&ticket=abc&session=x", &[], Some("abc")),
            ("/t?ticket=query", &["ticket.header"], Some("header")),
            ("/t?myticket=abc", &["glasshouse.v1"], None),
            ("/t", &[], None),
        ] {
            assert_eq!(presented(&request(uri, protocols)), found, "{uri} {protocols:?}");
        }
    }
}
