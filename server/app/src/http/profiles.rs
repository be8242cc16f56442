//! CLIs and shells that panes can run.

use axum::Json;
use axum::extract::State;
use wire::host::{Reply, Request};
use wire::http::ProfileList;

use crate::error::ApiError;
use crate::hosts::unexpected;
use crate::state::App;

/// `GET /api/profiles`.
pub(crate) async fn list(State(app): State<App>) -> Result<Json<ProfileList>, ApiError> {
    let Reply::Profiles(mut items) = app.hosts.client()?.request(Request::Profiles).await? else {
        return Err(unexpected("profiles"));
    };
    items.sort_by_key(|profile| !profile.found);
    Ok(Json(ProfileList { items }))
}
