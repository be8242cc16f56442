//! Settings: flags, then `GLASSHOUSE_*`, then the TOML file, then what fits this machine.
//!
//! Directories follow one rule that is easy to miss: with `--data` everything lies under it, so
//! that two cores with two data directories never share a pane host.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use store::StoreConfig;

use crate::auth::doors::Origin;

/// Where the core listens unless told otherwise.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4911);
/// Rooms unless told otherwise.
const ROOMS: u8 = 6;
/// Most rooms there may be: as many as `room.slot` holds.
pub(crate) const ROOMS_MAX: u8 = 16;

/// What can be set. Everything is optional; the TOML file has the same names.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Where to listen; port 0 takes a free one
    #[arg(long, env = "GLASSHOUSE_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// The directory for everything [default: ~/.local/share/glasshouse]
    #[arg(long, env = "GLASSHOUSE_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// A pane host that somebody else starts, such as <unix:/run/glasshouse/host.sock>
    #[arg(long, env = "GLASSHOUSE_HOST", value_name = "unix:PATH")]
    pub host: Option<String>,
    /// User ids that the pane host may run as [default: our own]
    #[arg(long, env = "GLASSHOUSE_HOST_UIDS", value_name = "UID", value_delimiter = ',')]
    pub host_uids: Vec<u32>,
    /// A file that holds the link's secret [default: beside the host's socket]
    #[arg(long, env = "GLASSHOUSE_HOST_SECRET_FILE", value_name = "FILE")]
    pub host_secret_file: Option<PathBuf>,
    /// PostgreSQL instead of a file of our own, as postgres://…
    #[arg(long, env = "GLASSHOUSE_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// A file that holds the database's address
    #[arg(long, env = "GLASSHOUSE_DATABASE_URL_FILE", value_name = "FILE")]
    pub database_url_file: Option<PathBuf>,
    /// An address at which people open the page, such as <https://glass.example>
    #[arg(long = "origin", env = "GLASSHOUSE_ORIGIN", value_name = "URL", value_delimiter = ',')]
    pub origin: Vec<String>,
    /// How many rooms there may be, at most 16
    #[arg(long, env = "GLASSHOUSE_MAX_ROOMS", value_name = "N")]
    pub max_rooms: Option<u8>,
    /// The folder registered at the first start [default: the working directory]
    #[arg(long, env = "GLASSHOUSE_FOLDER", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Settings, checked and whole.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where everything lies.
    pub dirs: Dirs,
    /// How the pane host is reached.
    pub host: HostConfig,
    /// Where the store is.
    pub store: StoreConfig,
    /// Further addresses at which people open the page.
    pub origins: Vec<Origin>,
    /// How many rooms there may be, 1 to 16.
    pub max_rooms: u8,
    /// The folder to register at the first start.
    pub folder: PathBuf,
}

/// Directories of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dirs {
    /// The store and the core's own socket.
    pub data: PathBuf,
    /// The host's spool and logs.
    pub state: PathBuf,
    /// The host's socket, lock and secret.
    pub run: PathBuf,
}

/// How the pane host is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Its socket.
    pub socket: PathBuf,
    /// The file with the link's secret.
    pub secret: PathBuf,
    /// User ids it may run as.
    pub uids: Vec<u32>,
    /// Whether we start one when none listens.
    pub ours: bool,
}

impl Dirs {
    /// Where everything lies for this user, or under `data` when it is given.
    ///
    /// # Errors
    ///
    /// Without a home and without `data`.
    pub fn find(data: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(data) = data {
            let data = std::path::absolute(data)?;
            return Ok(Self { state: data.join("state"), run: data.join("run"), data });
        }
        let base = |name: &str, below_home: &str| {
            let set = std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
            set.or_else(|| std::env::home_dir().map(|home| home.join(below_home)))
                .map(|base| base.join("glasshouse"))
                .context("there is no home directory: say where to keep things with --data DIR")
        };
        let data = base("XDG_DATA_HOME", ".local/share")?;
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let run = match runtime.filter(|path| path.is_absolute()) {
            Some(runtime) => runtime.join("glasshouse"),
            None => data.join("run"),
        };
        Ok(Self { state: base("XDG_STATE_HOME", ".local/state")?, run, data })
    }

    /// The core's own socket, for `glasshouse signin` and its like.
    pub fn core_socket(&self) -> PathBuf {
        self.data.join("core.sock")
    }
}

impl Settings {
    /// Fills what is not set from a TOML file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds a name that nobody defined.
    pub fn or_file(self, file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let below: Self =
            toml::from_str(&text).with_context(|| format!("in {}", file.display()))?;
        Ok(Self {
            listen: self.listen.or(below.listen),
            data: self.data.or(below.data),
            host: self.host.or(below.host),
            host_uids: first_filled(self.host_uids, below.host_uids),
            host_secret_file: self.host_secret_file.or(below.host_secret_file),
            database_url: self.database_url.or(below.database_url),
            database_url_file: self.database_url_file.or(below.database_url_file),
            origin: first_filled(self.origin, below.origin),
            max_rooms: self.max_rooms.or(below.max_rooms),
            folder: self.folder.or(below.folder),
        })
    }

    /// Checks everything.
    ///
    /// # Errors
    ///
    /// The first setting that cannot be, with what to do about it.
    pub fn check(self) -> anyhow::Result<Config> {
        let dirs = Dirs::find(self.data.as_deref())?;
        let host = self.host_config(&dirs)?;
        let store = match self.database_address()? {
            Some(url) => StoreConfig::Postgres(url),
            None => StoreConfig::Sqlite(dirs.data.join("glasshouse.db")),
        };
        let origins =
            self.origin.iter().map(|text| text.parse().with_context(|| format!("--origin {text}")));
        let max_rooms = self.max_rooms.unwrap_or(ROOMS);
        if !(1..=ROOMS_MAX).contains(&max_rooms) {
            bail!("--max-rooms is between 1 and {ROOMS_MAX}");
        }
        let folder = match self.folder {
            Some(folder) => std::path::absolute(folder)?,
            None => std::env::current_dir().context("the working directory is gone")?,
        };
        Ok(Config {
            listen: self.listen.unwrap_or(LISTEN),
            origins: origins.collect::<anyhow::Result<_>>()?,
            dirs,
            host,
            store,
            max_rooms,
            folder,
        })
    }

    fn host_config(&self, dirs: &Dirs) -> anyhow::Result<HostConfig> {
        let (socket, ours) = match self.host.as_deref() {
            None => (dirs.run.join("host.sock"), true),
            Some(address) => match address.strip_prefix("unix:") {
                Some(path) if Path::new(path).is_absolute() => (PathBuf::from(path), false),
                _ => bail!("--host is unix: and an absolute path, such as unix:/run/host.sock"),
            },
        };
        let secret = match (&self.host_secret_file, socket.parent()) {
            (Some(file), _) => file.clone(),
            (None, Some(beside)) => beside.join("link.secret"),
            (None, None) => bail!("--host names no file"),
        };
        let uids =
            if self.host_uids.is_empty() { vec![own_uid()?] } else { self.host_uids.clone() };
        Ok(HostConfig { socket, secret, uids, ours })
    }

    fn database_address(&self) -> anyhow::Result<Option<String>> {
        let address = match (&self.database_url, &self.database_url_file) {
            (Some(url), _) => Some(url.clone()),
            (None, Some(file)) => Some(
                std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read {}", file.display()))?
                    .trim()
                    .to_owned(),
            ),
            (None, None) => std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty()),
        };
        if let Some(url) = &address
            && !url.starts_with("postgres://")
            && !url.starts_with("postgresql://")
        {
            bail!("the database's address begins with postgres:// (leave it out for SQLite)");
        }
        Ok(address)
    }
}

fn first_filled<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    if first.is_empty() { second } else { first }
}

/// The user we run as. `/proc/self` belongs to it.
///
/// # Errors
///
/// Without `/proc`.
pub fn own_uid() -> anyhow::Result<u32> {
    Ok(std::fs::metadata("/proc/self").context("/proc is not mounted")?.uid())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { data: Some("/var/glass".into()), ..Settings::default() }
    }

    #[test]
    fn with_a_data_directory_everything_lies_under_it() {
        let config = settings().check().unwrap();
        assert_eq!(config.dirs.run, Path::new("/var/glass/run"));
        assert_eq!(config.host.socket, Path::new("/var/glass/run/host.sock"));
        assert!(config.host.ours);
        assert_eq!(config.listen, LISTEN);
        assert_eq!(config.max_rooms, ROOMS);
    }

    #[test]
    fn a_host_of_somebody_elses_is_not_started_by_us() {
        let host = Some("unix:/run/glass/host.sock".to_owned());
        let config = Settings { host, ..settings() }.check().unwrap();
        assert!(!config.host.ours);
        assert_eq!(config.host.secret, Path::new("/run/glass/link.secret"));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let wrong = [
            Settings { host: Some("tcp:localhost:1".to_owned()), ..settings() },
            Settings { host: Some("unix:host.sock".to_owned()), ..settings() },
            Settings { origin: vec!["glass.example".to_owned()], ..settings() },
            Settings { database_url: Some("mysql://x".to_owned()), ..settings() },
            Settings { max_rooms: Some(17), ..settings() },
            Settings { max_rooms: Some(0), ..settings() },
        ];
        for settings in wrong {
            let shown = format!("{settings:?}");
            assert!(settings.check().is_err(), "{shown}");
        }
    }

    #[test]
    fn a_flag_goes_before_the_file_and_an_unknown_name_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, "max-rooms = 3\nlisten = \"127.0.0.1:9\"\n").unwrap();
        let merged = Settings { max_rooms: Some(4), ..settings() }.or_file(&file).unwrap();
        assert_eq!(merged.max_rooms, Some(4));
        assert_eq!(merged.listen, Some("127.0.0.1:9".parse().unwrap()));
        std::fs::write(&file, "max-room = 3\n").unwrap();
        assert!(settings().or_file(&file).is_err());
    }
}
