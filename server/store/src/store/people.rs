//! Sign-ins.

use wire::{CallerId, SigninId};

use super::{Store, on};
use crate::error::StoreError;
use crate::rows::{NewSignin, Signin, TokenHash};

impl Store {
    /// Remembers a one-time token for a sign-in address, until it expires.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn issue_signin_token(
        &self,
        token: TokenHash,
        person: CallerId,
        now_ms: i64,
        expires_ms: i64,
    ) -> Result<(), StoreError> {
        on!(&self.0.database, write, signins::issue_token(token, person, now_ms, expires_ms))
    }

    /// Takes a one-time token and begins a sign-in for it: of any number of tries one succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] for a token that is unknown or used, [`StoreError::Expired`],
    /// [`StoreError::Down`].
    pub async fn redeem_signin_token(
        &self,
        token: TokenHash,
        new: NewSignin,
    ) -> Result<Signin, StoreError> {
        on!(&self.0.database, write, signins::redeem_token(token, new))
    }

    /// The sign-in that a cookie's token stands for; none when it is unknown or revoked.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`]: whoever was known a moment ago may still be served.
    pub async fn signin(&self, hash: TokenHash) -> Result<Option<Signin>, StoreError> {
        on!(&self.0.database, read, signins::lookup(hash))
    }

    /// Every sign-in of a person that was not revoked, latest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn signins(&self, person: CallerId) -> Result<Vec<Signin>, StoreError> {
        on!(&self.0.database, read, signins::list(person))
    }

    /// Notes that a sign-in was used. Rarely: it is a write.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn touch_signin(&self, id: SigninId, now_ms: i64) -> Result<(), StoreError> {
        on!(&self.0.database, write, signins::touch(id, now_ms))
    }

    /// Ends a sign-in. Again: nothing changes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`].
    pub async fn revoke_signin(&self, id: SigninId, now_ms: i64) -> Result<(), StoreError> {
        on!(&self.0.database, write, signins::revoke(id, now_ms))
    }
}
