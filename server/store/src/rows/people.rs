//! The store itself, its owner, and sign-ins.

use wire::{CallerId, SigninId, StoreId};

/// The SHA-256 of a token. The token itself never reaches the store.
pub type TokenHash = [u8; 32];

/// Ids for a store that is still empty; one that is not keeps its own.
#[derive(Clone, Copy, Debug)]
pub struct Fresh {
    /// Names the store.
    pub store: StoreId,
    /// Names its owner.
    pub owner: CallerId,
    /// When it is made.
    pub now_ms: i64,
}

/// Somebody who may sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub id: CallerId,
    /// Their name.
    pub name: String,
    /// Whether they own this workspace.
    pub owner: bool,
}

/// A sign-in: what a cookie stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signin {
    /// Which.
    pub id: SigninId,
    /// Whose.
    pub person: Person,
    /// When it began.
    pub created_ms: i64,
    /// When it was last used, as far as `touch_signin` was told.
    pub seen_ms: i64,
}

/// A sign-in to begin.
#[derive(Clone, Copy, Debug)]
pub struct NewSignin {
    /// Its id.
    pub id: SigninId,
    /// The hash of its cookie's token.
    pub hash: TokenHash,
    /// When it begins.
    pub now_ms: i64,
}
