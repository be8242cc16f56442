//! What Glasshouse remembers: rooms, panes, sessions, sign-ins, and the record of what sessions
//! printed.
//!
//! One [`Store`], two databases: a file on SQLite or a server with PostgreSQL. Their statements
//! are the same text (`sql/`, compiled once for each), and one story tests both. What
//! a reader would get wrong: a write that answers [`StoreError::Down`] may still have happened;
//! every write here is safe to ask again.
//!
//! May never touch: pane, link, axum; sockets but the database's.

#![expect(clippy::duplicate_mod, reason = "`sql` is typed once for each database, on purpose")]

mod append;
mod config;
mod error;
mod postgres;
mod rows;
mod sqlite;
mod store;
mod writer;

pub use config::StoreConfig;
pub use error::{AppendError, StoreError};
pub use rows::{
    Batch, Fresh, Gap, Item, NewPane, NewRoom, NewSession, NewSignin, Page, Pane, Person, Role,
    RoomPatch, Row, Session, SessionNote, Signin, TokenHash,
};
pub use store::Store;

/// What runs on a connection: borrowed from it, and able to move between threads.
type BoxFuture<'c, T> = std::pin::Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

// Run with `run_direct`: what `run` makes of a connection's lifetime is no `Send` future.
const MIGRATIONS_POSTGRES: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/postgres");
const MIGRATIONS_SQLITE: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/sqlite");
