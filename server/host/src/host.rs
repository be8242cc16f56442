//! Everything the parts of a host share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use link::{Gate, HelloReply};
use tokio::sync::OnceCell;
use wire::host::LINK_VERSION;
use wire::{ErrorBody, ErrorCode, HostId, StoreId};

use crate::config::{Config, Home};
use crate::environment::{self, Variables};
use crate::procs::Children;
use crate::profile::{Profiles, Versions};
use crate::registry::Registry;
use crate::runtime::{RunDir, RuntimeError, StateDir, own_uid};

/// A host.
#[derive(Debug)]
pub(crate) struct Host {
    /// Who may connect.
    pub(crate) gate: Gate,
    /// What it says about itself.
    pub(crate) myself: HelloReply,
    /// Its directory of sockets, with the lock.
    pub(crate) run_dir: RunDir,
    /// What outlives it.
    pub(crate) state_dir: StateDir,
    /// What can be run.
    pub(crate) profiles: Profiles,
    /// Which versions are installed.
    pub(crate) versions: Versions,
    /// Its sessions.
    pub(crate) registry: Arc<Registry>,
    /// Its children that are waited for.
    pub(crate) children: Arc<Children>,
    /// Whose home a program sees when its profile does not say.
    pub(crate) home: Home,
    /// What the process was started with, for programs to have.
    pub(crate) inherited: Inherited,
    env: OnceCell<Variables>,
    store: Mutex<Option<StoreId>>,
    conns: AtomicU64,
}

/// What this process changed for itself and gives back to programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    /// The mask for files.
    pub(crate) umask: u32,
    /// The soft limit of open files.
    pub(crate) nofile: Option<u64>,
}

impl Host {
    /// Takes the directories.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`], or a file of profiles that cannot be used.
    pub(crate) fn open(config: &Config, inherited: Inherited) -> anyhow::Result<Self> {
        let run_dir = RunDir::open(&config.run_dir, config.socket_group)?;
        let state_dir = StateDir::open(&config.state_dir)?;
        let secret = run_dir.secret(config.secret_file.as_deref())?;
        let mut allowed_uids = config.allow_uids.clone();
        if allowed_uids.is_empty() {
            allowed_uids.push(own_uid());
        }
        let own = state_dir.file("profiles.toml");
        let file = config.profiles.as_deref().or(own.exists().then_some(own.as_path()));
        let boot: [u8; 8] = rand::random();
        let myself = HelloReply {
            link: LINK_VERSION,
            features: Vec::new(),
            build: env!("CARGO_PKG_VERSION").to_owned(),
            host: HostId(state_dir.host),
            boot: boot.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        Ok(Self {
            gate: Gate { allowed_uids, secret },
            myself,
            profiles: Profiles::load(file)?,
            versions: Versions::default(),
            registry: Arc::default(),
            children: Arc::default(),
            home: config.home,
            inherited,
            env: OnceCell::new(),
            store: Mutex::new(state_dir.store()?),
            conns: AtomicU64::new(1),
            run_dir,
            state_dir,
        })
    }

    /// The login shell's environment; the first who asks waits for it.
    pub(crate) async fn env(&self) -> &Variables {
        self.env.get_or_init(|| environment::of_login_shell(&self.children)).await
    }

    /// A number for a connection.
    pub(crate) fn next_conn(&self) -> u64 {
        self.conns.fetch_add(1, Ordering::Relaxed)
    }

    /// Serves this store, if it serves none yet or this one.
    ///
    /// # Errors
    ///
    /// `wrong_store`.
    pub(crate) fn bind(&self, store: StoreId) -> Result<(), ErrorBody> {
        let mut bound = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        match *bound {
            Some(known) if known == store => return Ok(()),
            Some(_) => {
                let message = "this pane host serves another store: start one of your own, or end \
                               its sessions and remove its state directory";
                return Err(ErrorBody::new(ErrorCode::WrongStore, message));
            }
            None => {}
        }
        self.state_dir.bind_store(store).map_err(|error: RuntimeError| {
            ErrorBody::new(ErrorCode::Internal, error.to_string())
        })?;
        *bound = Some(store);
        Ok(())
    }

    /// The mark of all this host's processes, up to the session.
    pub(crate) fn mark_prefix(&self) -> String {
        format!("{}/", self.run_dir.id)
    }
}
