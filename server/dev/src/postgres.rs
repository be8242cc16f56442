//! A PostgreSQL for the length of a test run: its own data, on a socket in a temporary folder.
//!
//! PostgreSQL refuses to run as root, so for root it runs as the user that Debian's package made,
//! or as `nobody`.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::setup::{self, is_root, user_id};
use crate::shell;

/// A running server. Stopped, with its data gone, when dropped.
#[derive(Debug)]
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: TempDir,
    /// Whom to run it as, when we are root.
    user: Option<u32>,
}

impl Postgres {
    /// Starts a server and waits until it answers.
    pub(crate) fn start() -> Result<Self> {
        let programs = setup::postgres()?;
        // The socket's path may have 107 bytes at most, so not below the build folder.
        let folder = tempfile::Builder::new().prefix("glasshouse-pg-").tempdir_in("/tmp")?;
        let user = if is_root() {
            let user = user_id("postgres").or_else(|_| user_id("nobody"))?;
            chown(folder.path(), Some(user), None)?;
            Some(user)
        } else {
            None
        };
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711))?;
        let postgres = Self { programs, folder, user };
        postgres.create()?;
        Ok(postgres)
    }

    /// How to reach it; any local user may.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@localhost/postgres?host={}", self.folder.path().display())
    }

    fn create(&self) -> Result<()> {
        let data = self.folder.path().join("data");
        let data = data.to_str().context("a temporary folder's name is UTF-8")?;
        let init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"];
        shell::output(&mut self.program("initdb", &init))?;
        // Durability is not what these tests are about: a machine that fails loses its test run.
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c fsync=off \
             -c full_page_writes=off -c max_connections=200",
            self.folder.path().display()
        );
        let log = self.folder.path().join("log");
        let log = log.to_str().context("a temporary folder's name is UTF-8")?;
        let start = ["-D", data, "-l", log, "-w", "-t", "60", "-o", &options, "start"];
        // Its output must not be a pipe of ours: the server would keep it open.
        shell::run(self.program("pg_ctl", &start).stdout(std::process::Stdio::null()))
    }

    fn program(&self, name: &str, args: &[&str]) -> Command {
        let path = self.programs.join(name);
        let mut command = shell::command(self.folder.path(), &path.to_string_lossy(), args);
        if let Some(user) = self.user {
            command.uid(user);
        }
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let data = self.folder.path().join("data");
        let stop = ["-D", &data.to_string_lossy(), "-m", "immediate", "stop"];
        if let Err(error) = shell::output(&mut self.program("pg_ctl", &stop)) {
            eprintln!("PostgreSQL in {} may still run: {error:#}", data.display());
        }
    }
}
