//! Signing in with the printed address, and out again.

use std::time::Duration;

use axum::extract::State;
use axum::{Extension, Json};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::SigninId;
use wire::event::Event;
use wire::http::SigninRequest;

use super::answer::Body;
use crate::auth::doors::CookieKind;
use crate::auth::{Caller, signin as rule};
use crate::error::ApiError;
use crate::state::App;

/// How long a browser keeps the cookie; browsers allow no more.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;

/// What `POST /api/signin/address` answers.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Address {
    /// The address that signs one person in, once.
    pub(crate) address: String,
}

/// Wait until a store that was down is told again.
const RETRY: Duration = Duration::from_secs(1);

type NoContent = (StatusCode, [(HeaderName, HeaderValue); 1]);

/// `POST /api/signin`.
pub(crate) async fn signin(
    State(app): State<App>,
    headers: HeaderMap,
    Body(body): Body<SigninRequest>,
) -> Result<NoContent, ApiError> {
    let (_caller, value) = rule::redeem(&app, &body.token).await?;
    let cookie = set(&app.doors.cookie(&headers), &value, COOKIE_SECONDS)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]))
}

/// `POST /api/signin/address`: another one to print.
pub(crate) async fn address(State(app): State<App>) -> Result<Json<Address>, ApiError> {
    Ok(Json(Address { address: rule::address(&app).await? }))
}

/// `POST /api/signout`.
pub(crate) async fn signout(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<NoContent, ApiError> {
    if let Some(id) = caller.signin {
        // Here first: it holds at once, also when the store does not answer.
        app.signins.end(id);
        app.tickets.void(id);
        app.events.publish(Event::SignedOut {});
        app.shutdown.track(revoke(app.clone(), id));
    }
    let cookie = set(&app.doors.cookie(&headers), "", 0)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]))
}

/// Tells the store that a sign-in ended, however long it takes to be heard: until then only this
/// core knows.
async fn revoke(app: App, id: SigninId) {
    while let Err(error) = app.store.revoke_signin(id, app.clock.wall_ms()).await {
        tracing::warn!(%error, "the store has not heard of a sign-out yet");
        tokio::select! {
            () = tokio::time::sleep(RETRY) => {}
            () = app.shutdown.begun() => return,
        }
    }
}

fn set(kind: &CookieKind, value: &str, seconds: u32) -> Result<HeaderValue, ApiError> {
    let secure = if kind.secure { "; Secure" } else { "" };
    let name = &kind.name;
    let cookie =
        format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&cookie).map_err(ApiError::internal)
}
