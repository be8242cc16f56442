//! `glasshouse serve`: the core from its first moment to its last.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use store::{Fresh, Store, StoreError};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;
use wire::http::Folder;
use wire::{CallerId, FolderId, StoreId};

use super::{private_dir, say};
use crate::auth::signin;
use crate::clock::Clock;
use crate::config::{Config, Dirs, Settings, own_uid};
use crate::random::Random;
use crate::state::App;
use crate::{hosts, listen, router, sessions};

/// How long the pane host may take to be met before the core serves without it.
const HEAD_START: Duration = Duration::from_millis(500);
/// Wait between two tries to open a store that is down.
const STORE_RETRY: Duration = Duration::from_secs(1);

pub(super) async fn run(settings: Settings) -> anyhow::Result<ExitCode> {
    log_to_stderr();
    let config = settings.check()?;
    for dir in [&config.dirs.data, &config.dirs.state] {
        private_dir(dir)?;
    }
    let _lock = lock(&config.dirs)?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut asked_to_stop = async || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    let listener = listen::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let address = listener.local_addr()?;
    let store = tokio::select! {
        store = open(&config) => store?,
        () = asked_to_stop() => return Ok(ExitCode::SUCCESS),
    };
    let local = listen::bind_local(&config.dirs.core_socket(), own_uid()?)
        .with_context(|| format!("cannot make {}", config.dirs.core_socket().display()))?;
    let app = App::new(config, address.port(), store);
    first_start(&app).await?;

    let router = router::router(&app);
    let shutdown = &app.shutdown;
    shutdown.track(sessions::notes::run(app.clone()));
    shutdown.track(hosts::run(app.clone()));
    // Whoever comes back at once waits in the backlog and finds the sessions there.
    let met = tokio::time::timeout(HEAD_START, app.hosts.met()).await.is_ok();
    tracing::debug!(met, "begins to serve");
    shutdown.track(listen::serve(listener, router.clone(), shutdown.clone()));
    shutdown.track(listen::serve_local(local, router, shutdown.clone()));
    // Nobody may be reading what we print, and people are served all the same.
    if let Err(error) = greet(&app, address).await {
        tracing::warn!(%error, "cannot say where the core is");
    }

    asked_to_stop().await;
    tracing::info!("stopping: sessions go on");
    shutdown.begin();
    if !shutdown.finished().await {
        tracing::warn!("some sockets did not end in time");
    }
    app.store.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("GLASSHOUSE_LOG")
        .or_else(|_| EnvFilter::try_from_default_env())
        .unwrap_or_else(|_| "info".into());
    tracing_subscriber::fmt()
        // A terminal that is gone must not end us: a line that cannot be written is let go.
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}

/// One core to a data directory. The lock goes with the process, however it ends.
fn lock(dirs: &Dirs) -> anyhow::Result<File> {
    let path = dirs.data.join("core.lock");
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("another core uses {}; --data names another directory", dirs.data.display())
        }
        Err(TryLockError::Error(error)) => Err(error).context("cannot lock the data directory"),
    }
}

/// Opens the store, however long it takes to come up. What no waiting mends is an error.
async fn open(config: &Config) -> anyhow::Result<Store> {
    let rng = Random;
    let mut said = false;
    loop {
        let fresh = Fresh {
            store: StoreId::from_random(rng.bytes()),
            owner: CallerId::from_random(rng.bytes()),
            now_ms: Clock.wall_ms(),
        };
        match Store::open(&config.store, fresh).await {
            Ok(store) => return Ok(store),
            Err(StoreError::Down(why)) => {
                if !std::mem::replace(&mut said, true) {
                    tracing::warn!(why, "the store cannot be reached: waiting for it");
                }
                tokio::time::sleep(STORE_RETRY).await;
            }
            Err(error) => return Err(error).context("the store cannot be opened"),
        }
    }
}

/// At the first start the folder we were started in is registered.
async fn first_start(app: &App) -> anyhow::Result<()> {
    if !app.store.folders().await?.is_empty() || !app.store.rooms().await?.is_empty() {
        return Ok(());
    }
    let folder = &app.config.folder;
    // In a container the folder is the host's alone.
    let path = tokio::fs::canonicalize(folder).await.unwrap_or_else(|_| folder.clone());
    let path = path.to_str().context("the folder's name is not UTF-8")?.to_owned();
    let folder = Folder { id: FolderId::from_random(app.rng.bytes()), path };
    app.store.add_folder(folder, app.clock.wall_ms()).await?;
    Ok(())
}

/// Says where the core is and, while nobody is signed in, how to get in.
async fn greet(app: &App, address: SocketAddr) -> anyhow::Result<()> {
    say(&format!("listening on {address}"))?;
    if app.store.signins(app.store.owner().id).await?.is_empty() {
        say(&format!("sign in: {}", signin::address(app).await?))?;
    } else {
        say(&format!("open: {}", app.doors.first()))?;
    }
    Ok(())
}
