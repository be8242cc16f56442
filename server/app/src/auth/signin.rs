//! The printed address: a token that signs one person in, once, within 15 minutes.
//!
//! The token travels in the fragment of the address, which no browser sends, so it never reaches a
//! log; the page posts it. The store keeps its hash.

use std::time::Duration;

use store::{NewSignin, StoreError};
use wire::{ErrorCode, SigninId};

use super::{Caller, hash};
use crate::error::ApiError;
use crate::state::App;

/// How long a printed address can be used.
const TTL: Duration = Duration::from_mins(15);

/// Makes a token and the address that carries it.
///
/// # Errors
///
/// When the store is down.
pub async fn address(app: &App) -> Result<String, StoreError> {
    let token = app.rng.token();
    let now_ms = app.clock.wall_ms();
    let ttl_ms = i64::try_from(TTL.as_millis()).expect("15 minutes in milliseconds");
    let owner = app.store.owner().id;
    app.store.issue_signin_token(hash(&token), owner, now_ms, now_ms + ttl_ms).await?;
    Ok(format!("{}/signin#{token}", app.doors.first()))
}

/// Takes a token and begins a sign-in. Answers the cookie's value.
///
/// # Errors
///
/// `unauthorized` for a token that is unknown, used or expired.
pub async fn redeem(app: &App, token: &str) -> Result<(Caller, String), ApiError> {
    let cookie = app.rng.token();
    let id = SigninId::from_random(app.rng.bytes());
    let new = NewSignin { id, hash: hash(&cookie), now_ms: app.clock.wall_ms() };
    let signin = match app.store.redeem_signin_token(hash(token), new).await {
        Ok(signin) => signin,
        Err(StoreError::NotFound(_) | StoreError::Expired) => {
            return Err(ApiError::new(
                ErrorCode::Unauthorized,
                "This address was used already or has expired. `glasshouse signin` prints another.",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let caller = app.signins.on_signed_in(hash(&cookie), signin, app.clock.now());
    Ok((caller, cookie))
}
