//! `glasshouse signin`: another printed address.

use std::process::ExitCode;

use http::Method;

use super::client;
use crate::config::Dirs;
use crate::http::signin::Address;

pub(super) async fn run(dirs: &Dirs) -> anyhow::Result<ExitCode> {
    let answer = client::ask::<Address>(dirs, Method::POST, "/api/signin/address", None::<&()>);
    if let Some(Address { address }) = answer.await? {
        super::say(&address)?;
    }
    Ok(ExitCode::SUCCESS)
}
