//! The pane host: the process that owns the pseudo-terminals, and that nobody wants to restart.
//!
//! It knows no HTTP and no database. Cores connect over the [`link`]; one task a session owns its
//! output and its screen; a panic in one session ends that session only.

pub mod config;
mod ending;
mod environment;
pub mod exec_child;
mod helper;
mod host;
pub mod procs;
mod profile;
mod pty;
mod registry;
mod runtime;
mod screen;
mod serve;
mod session;
mod spawn;
mod sweep;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Config;
use crate::ending::Whom;
use crate::host::{Host, Inherited};
use crate::runtime::RuntimeError;
use crate::session::Command;

/// What a second host in the same directory exits with.
pub const ALREADY_RUNNING: u8 = 3;
/// How long a host that is told to end waits for the record.
const FINISH: Duration = Duration::from_secs(5);
/// Threads that run sessions; more would only wait for each other.
const THREADS: usize = 2;
/// Threads that may wait for `/proc`, forks and login shells.
const WAITING_THREADS: usize = 16;

/// Runs a host until it is told to end.
pub fn run(config: &Config) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GLASSHOUSE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        // The core that read our stderr may be gone: that is no reason to fail.
        .log_internal_errors(false)
        .init();
    match try_run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            match error.downcast_ref::<RuntimeError>() {
                Some(RuntimeError::AlreadyRunning(_)) => ExitCode::from(ALREADY_RUNNING),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn try_run(config: &Config) -> anyhow::Result<()> {
    let inherited = become_host()?;
    let host = Arc::new(Host::open(config, inherited)?);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(WAITING_THREADS)
        .thread_keep_alive(Duration::from_secs(2))
        .enable_all()
        .build()
        .context("no runtime")?
        .block_on(serve(host))
}

/// Makes this process fit to outlive whoever started it, and to keep its secrets.
fn become_host() -> anyhow::Result<Inherited> {
    if let Err(error) = rustix::process::setsid() {
        tracing::debug!(%error, "this process leads a group already, and stays in its session");
    }
    // Orphans of sessions come to us, and nobody of our user reads our memory or environment.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let umask = rustix::process::umask(Mode::from_raw_mode(0o077)).as_raw_mode();
    let nofile = rustix::process::getrlimit(Resource::Nofile);
    let raised = Rlimit { current: nofile.maximum, maximum: nofile.maximum };
    if let Err(error) = rustix::process::setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the limit of open files could not be raised");
    }
    Ok(Inherited { umask, nofile: nofile.current })
}

async fn serve(host: Arc<Host>) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let reaping = tokio::spawn(sweep::reap_all(Arc::clone(&host), signal(SignalKind::child())?));
    // The terminal we may have been started on is none of our business.
    let _hangup = signal(SignalKind::hangup())?;
    let listener = host.run_dir.listen()?;
    let accepting = tokio::spawn(serve::accept_all(Arc::clone(&host), listener));
    let sweeping = tokio::spawn(sweep::sweep_all(Arc::clone(&host)));
    let asking = Arc::clone(&host);
    tokio::spawn(async move { asking.env().await.len() });
    say_ready();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("told to end");
    accepting.abort();
    sweeping.abort();
    reaping.abort();
    host.run_dir.unlisten();
    finish(&host).await;
    Ok(())
}

/// Reads no more, waits a while for the record, and ends every session.
async fn finish(host: &Host) {
    let sessions = host.registry.all();
    let stored = async {
        for handle in &sessions {
            // One that is gone has nothing left to store.
            handle.ask(Command::Finish).await;
        }
    };
    if host.registry.has_core() && tokio::time::timeout(FINISH, stored).await.is_err() {
        tracing::warn!("not everything was stored in time");
    }
    let everything = Whom::Marked { prefix: host.mark_prefix(), except: None };
    let left = ending::end(everything).await;
    if !left.is_empty() {
        tracing::warn!(?left, "processes could not be ended");
    }
}

/// Tells whoever started us. That may be nobody.
fn say_ready() {
    let mut stdout = std::io::stdout();
    if let Err(error) = stdout.write_all(b"ready\n").and_then(|()| stdout.flush()) {
        tracing::debug!(%error, "nobody hears that we are ready");
    }
}
