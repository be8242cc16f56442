//! `glasshouse host`: the process that owns the panes. Ending it ends every session, so what would
//! be ended is said first and has to be agreed to.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use http::Method;
use serde::Deserialize;
use tokio::net::UnixStream;
use tokio::process::Command;
use wire::http::{Me, Session};

use super::{client, say};
use crate::config::Dirs;

/// How long a host may take to end: it waits up to 5 s for the record.
const ENDS_WITHIN: Duration = Duration::from_secs(20);
/// Time between two looks at whether it has.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Say whether a host runs, and what
    Status,
    /// End the host, and with it every session
    Stop(Agreed),
    /// End the host, and with it every session; the core starts another
    Restart(Agreed),
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Agreed {
    /// End the sessions that run
    #[arg(long)]
    yes: bool,
}

#[derive(Deserialize)]
struct Sessions {
    items: Vec<Session>,
}

pub(super) async fn run(dirs: &Dirs, verb: Verb) -> anyhow::Result<ExitCode> {
    match verb {
        Verb::Status => status(dirs).await,
        Verb::Stop(agreed) => {
            if core_runs(dirs).await {
                bail!("a core runs and would start another host: stop it first, or use `restart`");
            }
            end(dirs, agreed).await
        }
        Verb::Restart(agreed) => end(dirs, agreed).await,
    }
}

async fn status(dirs: &Dirs) -> anyhow::Result<ExitCode> {
    let Some(pid) = pid(dirs).await? else {
        say("no pane host runs")?;
        return Ok(ExitCode::FAILURE);
    };
    say(&format!("a pane host runs as process {pid}"))?;
    if core_runs(dirs).await {
        let me = client::ask::<Me>(dirs, Method::GET, "/api/me", None::<&()>).await?;
        let connected = me.is_some_and(|me| me.host_up);
        say(if connected { "the core is connected to it" } else { "the core cannot reach it" })?;
        say(&format!("{} sessions run", running(dirs).await?))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn end(dirs: &Dirs, agreed: Agreed) -> anyhow::Result<ExitCode> {
    let pid = pid(dirs).await?.context("no pane host runs")?;
    let what = if core_runs(dirs).await {
        format!("{} sessions", running(dirs).await?)
    } else {
        "every session that runs".to_owned()
    };
    if !agreed.yes {
        say(&format!("this ends {what}; --yes does it"))?;
        return Ok(ExitCode::FAILURE);
    }
    let sent = Command::new("kill").arg("-TERM").arg(pid.to_string()).status().await?;
    if !sent.success() {
        bail!("process {pid} could not be told to end");
    }
    let gone = async {
        while std::path::Path::new(&format!("/proc/{pid}")).exists() {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(ENDS_WITHIN, gone).await.context("the pane host has not ended")?;
    say(&format!("ended {what}"))?;
    Ok(ExitCode::SUCCESS)
}

async fn running(dirs: &Dirs) -> anyhow::Result<usize> {
    let sessions = client::ask::<Sessions>(dirs, Method::GET, "/api/sessions", None::<&()>).await?;
    Ok(sessions.map_or(0, |sessions| sessions.items.len()))
}

async fn core_runs(dirs: &Dirs) -> bool {
    UnixStream::connect(dirs.core_socket()).await.is_ok()
}

/// The host's process, as the kernel names whoever listens; none when nobody does.
async fn pid(dirs: &Dirs) -> anyhow::Result<Option<i32>> {
    match UnixStream::connect(dirs.run.join("host.sock")).await {
        Ok(stream) => Ok(stream.peer_cred()?.pid()),
        Err(_) => Ok(None),
    }
}
