//! The SQL that both databases speak, by noun.
//!
//! This folder is compiled twice: `postgres` and `sqlite` each include it beside their own
//! `Connection`, so every statement is typed for its database and written once. A function here
//! runs inside a transaction that its caller began and will commit, unless its error says no.

pub(crate) mod folders;
pub(crate) mod meta;
pub(crate) mod panes;
pub(crate) mod record;
pub(crate) mod rooms;
pub(crate) mod sessions;
pub(crate) mod signins;

use super::{Connection, lock_rooms};
use crate::error::StoreError;

/// An offset or a counter as both databases keep it.
pub(crate) fn signed(n: u64) -> Result<i64, StoreError> {
    i64::try_from(n).map_err(|_| StoreError::Broken(format!("{n} is no offset")))
}

/// An offset or a counter as we use it.
fn unsigned(n: i64) -> Result<u64, StoreError> {
    u64::try_from(n).map_err(|_| StoreError::Broken(format!("{n} is stored as an offset")))
}

/// Columns or rows as we use them.
fn cells(n: i16) -> Result<u16, StoreError> {
    u16::try_from(n).map_err(|_| StoreError::Broken(format!("{n} is stored as a size")))
}

/// Columns or rows as both databases keep them.
fn small(n: u16) -> Result<i16, StoreError> {
    i16::try_from(n).map_err(|_| StoreError::Broken(format!("{n} is no size")))
}

/// JSON kept as text.
pub(crate) fn to_json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Broken(e.to_string()))
}

/// JSON kept as text.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::Broken(e.to_string()))
}
