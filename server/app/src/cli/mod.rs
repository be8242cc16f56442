//! The executable's verbs. `serve` is the core; the others speak to a running one over its own
//! socket, or look at the machine.

mod client;
mod doctor;
mod folder;
mod health;
mod host;
mod serve;
mod signin;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{Dirs, Settings};

/// A workspace that runs AI coding CLIs side by side in the browser.
#[derive(Debug, Parser)]
#[command(name = "glasshouse", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve the page, and start the pane host if none runs
    Serve {
        #[command(flatten)]
        settings: Box<Settings>,
        /// A file with settings [default: ~/.config/glasshouse/config.toml, if it is there]
        #[arg(long, env = "GLASSHOUSE_CONFIG", value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Print an address that signs one person in, once
    Signin(Running),
    /// Folders in which panes may start
    Folder {
        #[command(flatten)]
        running: Running,
        #[command(subcommand)]
        verb: folder::Verb,
    },
    /// The process that owns the panes
    Host {
        #[command(flatten)]
        running: Running,
        #[command(subcommand)]
        verb: host::Verb,
    },
    /// Look at what this machine has and lacks
    Doctor(Running),
    /// Succeed if the core answers: for containers
    Health(Running),
}

/// Which core is meant.
#[derive(Clone, Debug, clap::Args)]
struct Running {
    /// The directory that the core was started with
    #[arg(long, env = "GLASSHOUSE_DATA", value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

impl Running {
    fn dirs(&self) -> anyhow::Result<Dirs> {
        Dirs::find(self.data.as_deref())
    }
}

/// Runs the verb that the command line names.
pub fn main() -> ExitCode {
    let verb = Cli::parse().verb;
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    match runtime.block_on(run(verb)) {
        Ok(code) => code,
        Err(error) => fail(&error),
    }
}

async fn run(verb: Verb) -> anyhow::Result<ExitCode> {
    match verb {
        Verb::Serve { settings, config } => serve::run(with_file(*settings, config)?).await,
        Verb::Signin(running) => signin::run(&running.dirs()?).await,
        Verb::Folder { running, verb } => folder::run(&running.dirs()?, verb).await,
        Verb::Host { running, verb } => host::run(&running.dirs()?, verb).await,
        Verb::Doctor(running) => doctor::run(&running.dirs()?).await,
        Verb::Health(running) => health::run(&running.dirs()?).await,
    }
}

/// The settings with those of the file that was named, or of the usual one if it is there.
fn with_file(settings: Settings, named: Option<PathBuf>) -> anyhow::Result<Settings> {
    if let Some(file) = named {
        return settings.or_file(&file);
    }
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| std::env::home_dir().map(|home| home.join(".config")));
    match config.map(|config| config.join("glasshouse/config.toml")) {
        Some(file) if file.exists() => settings.or_file(&file),
        Some(_) | None => Ok(settings),
    }
}

/// Prints one line for people or scripts.
fn say(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // Nobody is left to tell when even this fails.
    drop(writeln!(std::io::stderr(), "glasshouse: {error:#}"));
    ExitCode::FAILURE
}

/// Makes a directory of ours, which nobody else may look into.
fn private_dir(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;

    use anyhow::Context as _;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(path)?;
    std::fs::metadata(path).with_context(|| format!("cannot use {}", path.display()))?;
    Ok(())
}
