//! What is looked at once a minute: sessions nobody needs, and processes nobody knows.
//!
//! A host that was killed leaves processes behind; the next one in the same directory ends them. It
//! may, because it has the directory's lock, and because their mark names the directory.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::Signal;
use wire::SessionId;

use crate::ending::{self, Whom};
use crate::host::Host;
use crate::procs;
use crate::session::{Command, Handle};

/// Between two looks for orphans that have ended.
const REAP_APART: Duration = Duration::from_millis(500);
/// Between two sweeps.
const EVERY: Duration = Duration::from_secs(60);

/// Sweeps at once and then once a minute, for ever.
pub(crate) async fn sweep_all(host: Arc<Host>) {
    let mut ticks = HashMap::new();
    let mut next = tokio::time::interval(EVERY);
    next.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let per_second = rustix::param::clock_ticks_per_second();
    loop {
        next.tick().await;
        let sessions = host.registry.all();
        let used = used_ticks(&sessions).await;
        for handle in &sessions {
            let now = used.get(&handle.session).copied().unwrap_or(0);
            let before = ticks.insert(handle.session, now).unwrap_or(now);
            let percent = now.saturating_sub(before) * 100 / (EVERY.as_secs() * per_second).max(1);
            let cpu_percent = u32::try_from(percent).unwrap_or(u32::MAX);
            let core = host.registry.has_core();
            if handle.ask(|done| Command::Look { cpu_percent, core, done }).await.is_none() {
                tracing::debug!(session = %handle.session, "a session has gone meanwhile");
            }
        }
        ticks.retain(|session, _| used.contains_key(session));
        end_unknown(&host).await;
    }
}

/// Waits for orphans of sessions as they end, for ever.
pub(crate) async fn reap_all(host: Arc<Host>, mut child_ended: Signal) {
    while child_ended.recv().await.is_some() {
        let children = Arc::clone(&host.children);
        if let Err(error) = tokio::task::spawn_blocking(move || children.reap_orphans()).await {
            tracing::error!(%error, "orphans could not be waited for");
        }
        // A session that ends many processes is one look, not many.
        tokio::time::sleep(REAP_APART).await;
    }
}

/// Processor time that each session's processes have used.
async fn used_ticks(sessions: &[Handle]) -> HashMap<SessionId, u64> {
    let marks: HashMap<String, SessionId> =
        sessions.iter().map(|handle| (handle.mark.clone(), handle.session)).collect();
    let looked = tokio::task::spawn_blocking(move || {
        let mut used: HashMap<SessionId, u64> = marks.values().map(|id| (*id, 0)).collect();
        for stat in procs::scan() {
            let session = procs::mark_of(stat.pid).and_then(|mark| marks.get(&mark).copied());
            if let Some(used) = session.and_then(|session| used.get_mut(&session)) {
                *used += stat.ticks;
            }
        }
        used
    });
    looked.await.unwrap_or_default()
}

/// Ends processes with our directory's mark and no session.
async fn end_unknown(host: &Host) {
    let except = Some(Arc::clone(&host.registry));
    let left = ending::end(Whom::Marked { prefix: host.mark_prefix(), except }).await;
    if !left.is_empty() {
        tracing::warn!(?left, "processes of earlier sessions could not be ended");
    }
}
