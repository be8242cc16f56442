//! Starting a pane host where none listens.
//!
//! The host must outlive us, so nothing of it hangs on this process: it makes a session of its own,
//! and under systemd, which ends everything in a service's group, it gets a scope of its own. When
//! that cannot be had it is said, since a restart of the service would then end every session.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use crate::config::Dirs;

/// How long a host may take until it is ready.
const READY_WITHIN: Duration = Duration::from_secs(10);
/// What it prints then.
const READY: &str = "ready";
/// Where it logs, in the state directory: our own terminal or pipe ends before it does.
const LOG: &str = "host.log";
/// A log longer than this is put aside when a host starts.
const LOG_MAX_BYTES: u64 = 1024 * 1024;
/// The executable, beside our own.
const EXECUTABLE: &str = "glasshouse-host";

/// Starts a host and waits until it listens.
///
/// # Errors
///
/// When it cannot be started or does not get ready. One that finds another host running ends at
/// once: that one is then connected to.
pub(super) async fn launch(dirs: &Dirs) -> anyhow::Result<()> {
    let host = beside_us()?;
    let mut command = command(&host);
    command
        .arg("--run-dir")
        .arg(&dirs.run)
        .arg("--state-dir")
        .arg(&dirs.state)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log(&dirs.state)?)
        .kill_on_drop(false);
    // What is ours alone: a pane must not find the way to our store in the environment.
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown == "DATABASE_URL" || shown.starts_with("GLASSHOUSE_") {
            command.env_remove(&name);
        }
    }
    let mut child = command.spawn().with_context(|| format!("cannot start {}", host.display()))?;
    let stdout = child.stdout.take().context("the host's output is not ours")?;
    let mut lines = BufReader::new(stdout).lines();
    let first = tokio::time::timeout(READY_WITHIN, lines.next_line()).await;
    let outcome = match first {
        Ok(Ok(Some(line))) if line.trim() == READY => Ok(()),
        Ok(Ok(Some(line))) => bail_later(format!("the pane host said {line:?}")),
        Ok(Ok(None)) => {
            bail_later(format!("the pane host ended: see {LOG} in the state directory"))
        }
        Ok(Err(error)) => Err(error.into()),
        Err(_) => bail_later("the pane host did not get ready in time".to_owned()),
    };
    // Waited for, so that a host that ends before us does not stay as a zombie.
    tokio::spawn(async move {
        match child.wait().await {
            Ok(status) => tracing::info!(%status, "the pane host's starter ended"),
            Err(error) => tracing::warn!(%error, "cannot wait for the pane host"),
        }
    });
    outcome
}

fn log(state: &Path) -> anyhow::Result<File> {
    let path = state.join(LOG);
    if std::fs::metadata(&path).is_ok_and(|log| log.len() > LOG_MAX_BYTES) {
        std::fs::rename(&path, path.with_extension("log.old"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true).mode(0o600);
    options.open(&path).with_context(|| format!("cannot write {}", path.display()))
}

fn bail_later(why: String) -> anyhow::Result<()> {
    Err(anyhow::Error::msg(why))
}

/// The host's executable. After an upgrade our own file may be gone: its place is what counts.
fn beside_us() -> anyhow::Result<PathBuf> {
    let us = std::env::current_exe().context("cannot tell where this executable is")?;
    let host = us.with_file_name(EXECUTABLE);
    if !host.is_file() {
        bail!("there is no {} beside this executable", host.display());
    }
    Ok(host)
}

fn command(host: &Path) -> Command {
    if std::env::var_os("INVOCATION_ID").is_none() {
        return Command::new(host);
    }
    let Some(systemd_run) = on_path("systemd-run") else {
        tracing::warn!("no systemd-run: restarting this service will end every session");
        return Command::new(host);
    };
    let mut command = Command::new(systemd_run);
    command.arg("--scope").arg("--quiet").arg("--collect");
    // As root the system's manager is asked, else the user's own.
    if crate::config::own_uid().is_ok_and(|uid| uid != 0) {
        command.arg("--user");
    }
    command.arg("--").arg(host);
    command
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}
