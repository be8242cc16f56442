//! `glasshouse health`: whether the core answers, for a container's health check.

use std::process::ExitCode;

use http::Method;

use super::client;
use crate::config::Dirs;

pub(super) async fn run(dirs: &Dirs) -> anyhow::Result<ExitCode> {
    client::ask::<()>(dirs, Method::GET, "/healthz", None::<&()>).await?;
    Ok(ExitCode::SUCCESS)
}
