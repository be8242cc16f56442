//! How a host is started.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// The pane host of Glasshouse: runs the terminals. Normally `glasshouse serve` starts it.
#[derive(Clone, Debug, Parser)]
#[command(name = "glasshouse-host", version)]
pub struct Config {
    /// Where socket, lock and secret are; only the host and its cores may look inside.
    #[arg(long, value_name = "DIR")]
    pub run_dir: PathBuf,
    /// Where what outlives a restart is: the host's id, the store it serves, isolated homes.
    #[arg(long, value_name = "DIR")]
    pub state_dir: PathBuf,
    /// A user id that a core may run as; may be repeated [default: the host's own]
    #[arg(long = "allow-uid", value_name = "UID")]
    pub allow_uids: Vec<u32>,
    /// A group that host and core alone have; the socket is then open to it, in a directory of
    /// mode 0750 that somebody else made.
    #[arg(long, value_name = "GID")]
    pub socket_group: Option<u32>,
    /// A file with the link's secret [default: link.secret beside the socket, made when missing]
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// Profiles of your own [default: profiles.toml in the state directory, if it is there]
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Whether panes share the host's home, when their profile does not say.
    #[arg(long, value_enum, default_value_t = Home::Shared)]
    pub home: Home,
}

/// Which home a program sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// The host's, with all the login shell's environment: a person's own machine.
    Shared,
    /// One of the profile's own, with a short list of variables: a container.
    Isolated,
}
