//! A world for a promise to be kept in: the two built programs, a browser's client, and a database.

pub(crate) mod database;
pub(crate) mod http;
pub(crate) mod processes;
pub(crate) mod viewer;
pub(crate) mod world;

use std::future::Future;
use std::time::Duration;

pub(crate) use database::Database;
pub(crate) use viewer::Viewer;
pub(crate) use world::World;

/// The longest any one wait may take before the test says what it was waiting for. Generous: a
/// cold machine with two cores runs several of these at once.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something that must happen.
///
/// # Panics
///
/// When it does not happen within [`PATIENCE`].
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited {} s for: {what}", PATIENCE.as_secs()))
}
