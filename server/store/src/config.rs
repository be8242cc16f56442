//! Where the store is.

use std::fmt;
use std::path::PathBuf;

/// Where the store is.
#[derive(Clone)]
pub enum StoreConfig {
    /// A file; it is made when it does not exist. Its folder must.
    Sqlite(PathBuf),
    /// A `postgres://` address. It may hold a password, so it is never shown.
    Postgres(String),
}

impl fmt::Debug for StoreConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(..)"),
        }
    }
}
