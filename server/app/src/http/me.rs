//! Who is signed in, and what can be reached.

use std::time::Duration;

use axum::extract::State;
use axum::{Extension, Json};
use wire::http::Me;

use crate::auth::Caller;
use crate::state::App;

/// How long the store may take to count as up here: a page waits for this answer.
const STORE_WITHIN: Duration = Duration::from_millis(300);

/// `GET /api/me`.
pub(crate) async fn me(State(app): State<App>, Extension(caller): Extension<Caller>) -> Json<Me> {
    Json(Me {
        caller: caller.id,
        name: caller.name,
        build: crate::BUILD.to_owned(),
        host_up: app.hosts.is_up(),
        store_up: store_up(&app).await,
    })
}

/// Whether the store answers soon.
pub(super) async fn store_up(app: &App) -> bool {
    matches!(tokio::time::timeout(STORE_WITHIN, app.store.ping()).await, Ok(Ok(())))
}
