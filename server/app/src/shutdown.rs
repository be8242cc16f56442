//! How the core stops: everybody is told, and everything that must finish is waited for.
//!
//! hyper gives an upgraded socket away and forgets it, so whoever takes one runs it with
//! [`Shutdown::track`]; otherwise a stop would cut it without a close frame.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};
use tokio_util::task::TaskTracker;

/// How long a stop waits for sockets, requests and the last rows.
pub const STOP_WITHIN: Duration = Duration::from_secs(5);

/// The core's end, as seen by its tasks.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// Runs a task that a stop waits for. It must end by itself soon after [`Self::begun`].
    pub fn track<F>(&self, task: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(task)
    }

    /// Resolves when the core begins to stop.
    pub fn begun(&self) -> WaitForCancellationFuture<'_> {
        self.token.cancelled()
    }

    /// Whether the core has begun to stop.
    pub fn has_begun(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Tells everybody.
    pub fn begin(&self) {
        self.token.cancel();
        self.tasks.close();
    }

    /// Waits for every tracked task, at most [`STOP_WITHIN`]. Answers whether all ended.
    pub async fn finished(&self) -> bool {
        tokio::time::timeout(STOP_WITHIN, self.tasks.wait()).await.is_ok()
    }
}
