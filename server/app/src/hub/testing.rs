//! A hub without a host, for tests of what stands above it.

use std::sync::Arc;
use std::time::Instant;

use link::Client;
use wire::browser::{Recording, Scope, SessionState};
use wire::{PaneId, Seq, SessionId};

use super::hub::{End, Hub, Size, Status};
use super::snapshot::Whole;

/// A hub of a session that has just started.
pub(crate) fn hub(n: u8) -> Arc<Hub> {
    let size = Size { n: 1, seq: Seq::ZERO, cols: 80, rows: 24, by: String::new() };
    let status = Status { state: SessionState::Running, exit: None, recording: Recording::On };
    let session = SessionId::from_random([n; 16]);
    Arc::new(Hub::new(session, PaneId::from_random([1; 16]), Seq::ZERO, size, status))
}

/// The program prints.
pub(crate) fn print(hub: &Hub, bytes: &[u8]) {
    hub.tail().push(bytes, 0, Instant::now());
}

/// The terminal is resized.
pub(crate) fn resize(hub: &Hub, cols: u16, rows: u16) {
    let seq = hub.tail().span().to;
    hub.change(|state| state.on_resize(seq, cols, rows, "ana".to_owned()));
}

/// The host is asked for a screen, and answers.
pub(crate) async fn join(hub: &Hub, screen: &'static str) -> Scope {
    let mut wanted = hub.wanted();
    let scope = wanted.wait_for(Option::is_some).await.unwrap().unwrap();
    let resize = hub.look().size().n;
    hub.on_snapshot(Whole {
        seq: hub.tail().span().to,
        cols: 80,
        rows: 24,
        scope: Scope::Replay,
        resize,
        stored: false,
        bytes: screen.into(),
    });
    scope
}

/// There is a host.
pub(crate) fn connect(hub: &Hub, client: Client) {
    hub.set_client(Some(client));
}

/// The session is gone with its host.
pub(crate) fn lose(hub: &Hub) {
    hub.change(|state| {
        state.status.state = SessionState::Lost;
        state.set_end(End::Lost);
    });
}

/// Another session takes its place.
pub(crate) fn replace(hub: &Hub, by: SessionId) {
    hub.change(|state| state.set_end(End::Replaced(by)));
}
