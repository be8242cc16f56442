//! Whether the core lives, whether it can serve, and how it stands in numbers.

use axum::Json;
use axum::extract::State;
use http::{HeaderName, StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::me::store_up;
use crate::state::App;

/// What `GET /readyz` says.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    host_up: bool,
    store_up: bool,
}

/// `GET /healthz`: the process answers. A host or store that is down does not make it unhealthy:
/// restarting the core would not help.
pub(crate) async fn alive() -> StatusCode {
    std::future::ready(StatusCode::OK).await
}

/// `GET /readyz`: the store can be reached and so can the pane host.
pub(crate) async fn ready(State(app): State<App>) -> (StatusCode, Json<Ready>) {
    let ready = Ready { host_up: app.hosts.is_up(), store_up: store_up(&app).await };
    let whole = ready.host_up && ready.store_up && !app.shutdown.has_begun();
    (if whole { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, Json(ready))
}

/// `GET /metrics`, as Prometheus reads them.
pub(crate) async fn metrics(State(app): State<App>) -> ([(HeaderName, &'static str); 1], String) {
    let up = |up: bool| u8::from(up);
    let text = format!(
        "# TYPE glasshouse_host_up gauge\nglasshouse_host_up {}\n\
         # TYPE glasshouse_store_up gauge\nglasshouse_store_up {}\n",
        up(app.hosts.is_up()),
        up(store_up(&app).await),
    );
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
