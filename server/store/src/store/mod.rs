//! The store as its users see it: a cheap handle with methods by noun.

mod layout;
mod people;
mod record;
mod sessions;

use std::sync::Arc;

use wire::StoreId;

use crate::config::StoreConfig;
use crate::error::StoreError;
use crate::postgres::Postgres;
use crate::rows::{Fresh, Person};
use crate::sqlite::Sqlite;
use crate::writer::Writer;

/// Everything Glasshouse remembers. Clones share one store.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    database: Database,
    writer: Writer,
    id: StoreId,
    owner: Person,
}

/// The two databases.
#[derive(Clone, Debug)]
enum Database {
    Postgres(Postgres),
    Sqlite(Sqlite),
}

/// Calls one of the functions that are compiled once for each database.
macro_rules! on {
    ($database:expr, $how:ident, $noun:ident::$name:ident($($arg:expr),*)) => {
        match $database {
            $crate::store::Database::Postgres(db) => {
                db.$how(move |connection| {
                    Box::pin(async move {
                        $crate::postgres::sql::$noun::$name(connection $(, $arg)*).await
                    })
                })
                .await
            }
            $crate::store::Database::Sqlite(db) => {
                db.$how(move |connection| {
                    Box::pin(async move {
                        $crate::sqlite::sql::$noun::$name(connection $(, $arg)*).await
                    })
                })
                .await
            }
        }
    };
}
use on;

impl Store {
    /// Opens a store, or makes it, and brings it up to date. `fresh` names it if it is empty.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`] when the database cannot be reached: try again later.
    /// [`StoreError::Migrate`] when it cannot be brought up to date.
    pub async fn open(config: &StoreConfig, fresh: Fresh) -> Result<Self, StoreError> {
        let (database, writer) = match config {
            StoreConfig::Postgres(url) => {
                let db = Postgres::open(url).await?;
                (Database::Postgres(db.clone()), Writer::start(db))
            }
            StoreConfig::Sqlite(path) => {
                let db = Sqlite::open(path).await?;
                (Database::Sqlite(db.clone()), Writer::start(db))
            }
        };
        let (id, owner) = on!(&database, write, meta::identity(fresh))?;
        Ok(Self(Arc::new(Inner { database, writer, id, owner })))
    }

    /// The store's name: a host serves the first one that it meets.
    pub fn id(&self) -> StoreId {
        self.0.id
    }

    /// Who owns this workspace.
    pub fn owner(&self) -> &Person {
        &self.0.owner
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        on!(&self.0.database, read, meta::ping())
    }

    /// Writes what waits and closes every connection. Later calls answer `Down`.
    pub async fn close(&self) {
        match &self.0.database {
            Database::Postgres(db) => db.close().await,
            Database::Sqlite(db) => db.close().await,
        }
    }
}
