//! The host's directories, and the promise that only one host serves them.
//!
//! Everything is decided under the lock: a second host must not touch anything of the first, its
//! socket least of all. The socket appears by a rename, ready to be connected to.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags};
use tokio::net::UnixListener;
use uuid::Uuid;
use wire::StoreId;

/// What fits in a socket's address.
const SOCKET_PATH_MAX_BYTES: usize = 107;
/// Bytes of the link's secret.
const SECRET_BYTES: usize = 32;
/// Fewest characters of a secret that somebody else made.
const SECRET_MIN_CHARS: usize = 32;

/// Why the directories cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuntimeError {
    /// Another host has the lock. It was left alone.
    #[error("a pane host is already running in {0}")]
    AlreadyRunning(PathBuf),
    /// Somebody else could have put it there.
    #[error("{path} cannot be trusted: {why}")]
    Untrusted {
        /// Which.
        path: PathBuf,
        /// Why.
        why: &'static str,
    },
    /// The socket's path does not fit into an address.
    #[error("{0} is too long for a socket's address ({SOCKET_PATH_MAX_BYTES} bytes at most)")]
    TooLong(PathBuf),
    /// Anything else.
    #[error("{path}: {error}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What.
        error: io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> RuntimeError + '_ {
    move |error| RuntimeError::Io { path: path.to_owned(), error }
}

/// The locked runtime directory. Dropping it lets the lock go.
#[derive(Debug)]
pub(crate) struct RunDir {
    path: PathBuf,
    /// The group the socket is open to.
    group: Option<u32>,
    /// Names this directory in the marks of processes.
    pub(crate) id: String,
    _lock: File,
}

impl RunDir {
    /// Makes the directory if it is missing, and takes its lock.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`]; the directory is unchanged then.
    pub(crate) fn open(path: &Path, group: Option<u32>) -> Result<Self, RuntimeError> {
        let allowed = if group.is_some() { 0o750 } else { 0o700 };
        private_dir(path, allowed)?;
        let lock_path = path.join("host.lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        options.custom_flags(i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default());
        let lock = options.open(&lock_path).map_err(at(&lock_path))?;
        match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(RuntimeError::AlreadyRunning(path.to_owned()));
            }
            Err(error) => return Err(at(&lock_path)(error.into())),
        }
        let id = kept_uuid(&path.join("id"))?.to_string();
        Ok(Self { path: path.to_owned(), group, id, _lock: lock })
    }

    /// The link's secret, in hex: from `file`, else our own, which is made once.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`].
    pub(crate) fn secret(&self, file: Option<&Path>) -> Result<String, RuntimeError> {
        let own = self.path.join("link.secret");
        let path = file.unwrap_or(&own);
        if file.is_none() && !path.exists() {
            let bytes: [u8; SECRET_BYTES] = rand::random();
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            write_private(path, hex.as_bytes())?;
        }
        let secret = read_small(path)?;
        if secret.len() < SECRET_MIN_CHARS {
            let why = "a secret of at least 32 characters is needed";
            return Err(RuntimeError::Untrusted { path: path.to_owned(), why });
        }
        Ok(secret)
    }

    /// Listens on `host.sock`.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`], also when something that is no socket of ours stands there.
    pub(crate) fn listen(&self) -> Result<UnixListener, RuntimeError> {
        let path = self.path.join("host.sock");
        let temporary = self.path.join(format!("host.sock.{}", std::process::id()));
        if temporary.as_os_str().as_bytes().len() > SOCKET_PATH_MAX_BYTES {
            return Err(RuntimeError::TooLong(path));
        }
        let untrusted = |why| RuntimeError::Untrusted { path: path.clone(), why };
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.file_type().is_socket() => {
                return Err(untrusted("it is no socket"));
            }
            Ok(metadata) if metadata.uid() != own_uid() => {
                return Err(untrusted("it belongs to somebody else"));
            }
            // Its host is gone: we hold the lock.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&path)(error)),
        }
        // Left by a host of the same pid that died between bind and rename.
        match std::fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(at(&temporary)(error));
            }
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(&temporary).map_err(at(&temporary))?;
        let mode = if self.group.is_some() { 0o660 } else { 0o600 };
        if let Some(group) = self.group {
            std::os::unix::fs::chown(&temporary, None, Some(group)).map_err(at(&temporary))?;
        }
        std::fs::set_permissions(&temporary, Permissions::from_mode(mode))
            .map_err(at(&temporary))?;
        std::fs::rename(&temporary, &path).map_err(at(&path))?;
        Ok(listener)
    }

    /// Takes the socket away, at a graceful end.
    pub(crate) fn unlisten(&self) {
        if let Err(error) = std::fs::remove_file(self.path.join("host.sock")) {
            tracing::debug!(%error, "the socket was gone already");
        }
    }
}

/// What outlives a restart.
#[derive(Debug)]
pub(crate) struct StateDir {
    path: PathBuf,
    /// The host's id.
    pub(crate) host: Uuid,
}

impl StateDir {
    /// Makes the directory if it is missing.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`].
    pub(crate) fn open(path: &Path) -> Result<Self, RuntimeError> {
        private_dir(path, 0o755)?;
        let host = kept_uuid(&path.join("host-id"))?;
        Ok(Self { path: path.to_owned(), host })
    }

    /// The store this host serves, if it has met one.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`].
    pub(crate) fn store(&self) -> Result<Option<StoreId>, RuntimeError> {
        let path = self.path.join("store-id");
        if !path.exists() {
            return Ok(None);
        }
        let parsed = Uuid::parse_str(&read_small(&path)?).map_err(io::Error::other);
        Ok(Some(StoreId(parsed.map_err(at(&path))?)))
    }

    /// Serves this store from now on.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`].
    pub(crate) fn bind_store(&self, store: StoreId) -> Result<(), RuntimeError> {
        write_private(&self.path.join("store-id"), store.to_string().as_bytes())
    }

    /// A file of the user's in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A home and a folder for temporary files of a profile's own.
    ///
    /// # Errors
    ///
    /// [`RuntimeError`].
    pub(crate) fn home_of(&self, profile: &str) -> Result<(PathBuf, PathBuf), RuntimeError> {
        let home = self.path.join("homes").join(profile);
        let temporary = home.join(".tmp");
        private_dir(&home, 0o700)?;
        private_dir(&temporary, 0o700)?;
        Ok((home, temporary))
    }
}

/// A directory of ours, made with mode 0700 when missing, that others may use no more than
/// `allowed` lets them.
fn private_dir(path: &Path, allowed: u32) -> Result<(), RuntimeError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(at(path))?;
    let metadata = std::fs::symlink_metadata(path).map_err(at(path))?;
    let why = if !metadata.is_dir() {
        "it is no directory, or a symbolic link to one"
    } else if metadata.uid() != own_uid() {
        "it belongs to somebody else"
    } else if metadata.mode() & 0o777 & !allowed != 0 {
        "others may use it"
    } else {
        return Ok(());
    };
    Err(RuntimeError::Untrusted { path: path.to_owned(), why })
}

/// The UUID in a file, made once.
fn kept_uuid(path: &Path) -> Result<Uuid, RuntimeError> {
    if !path.exists() {
        let id = uuid::Builder::from_random_bytes(rand::random()).into_uuid();
        write_private(path, id.to_string().as_bytes())?;
    }
    Uuid::parse_str(&read_small(path)?).map_err(|error| at(path)(io::Error::other(error)))
}

/// Writes a file that appears whole or not at all.
fn write_private(path: &Path, bytes: &[u8]) -> Result<(), RuntimeError> {
    let temporary = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&temporary).map_err(at(&temporary))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(at(&temporary))?;
    std::fs::rename(&temporary, path).map_err(at(path))
}

/// The text of a file, without the line end.
fn read_small(path: &Path) -> Result<String, RuntimeError> {
    let mut text = String::new();
    let file = File::open(path).map_err(at(path))?;
    file.take(4096).read_to_string(&mut text).map_err(at(path))?;
    Ok(text.trim().to_owned())
}

/// The user this process runs as.
pub(crate) fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir() -> tempfile::TempDir {
        tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir().unwrap()
    }

    #[test]
    fn only_one_host_gets_the_lock() {
        let dir = dir();
        let first = RunDir::open(dir.path(), None).unwrap();
        let second = RunDir::open(dir.path(), None);
        assert!(matches!(second, Err(RuntimeError::AlreadyRunning(_))));
        let id = first.id.clone();
        drop(first);
        assert_eq!(RunDir::open(dir.path(), None).unwrap().id, id);
    }

    #[test]
    fn a_directory_that_others_may_use_is_refused() {
        let dir = dir();
        let shared = dir.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        std::fs::set_permissions(&shared, Permissions::from_mode(0o750)).unwrap();
        let refused = RunDir::open(&shared, None);
        assert!(matches!(refused, Err(RuntimeError::Untrusted { why: "others may use it", .. })));
        assert!(RunDir::open(&shared, Some(0)).is_ok());
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&shared, &link).unwrap();
        assert!(matches!(RunDir::open(&link, Some(0)), Err(RuntimeError::Untrusted { .. })));
    }

    #[tokio::test]
    async fn the_socket_never_replaces_what_is_none() {
        let dir = dir();
        let run = RunDir::open(dir.path(), None).unwrap();
        let socket = dir.path().join("host.sock");
        std::fs::write(&socket, "mine").unwrap();
        assert!(matches!(
            run.listen(),
            Err(RuntimeError::Untrusted { why: "it is no socket", .. })
        ));
        std::fs::remove_file(&socket).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &socket).unwrap();
        assert!(run.listen().is_err());
        std::fs::remove_file(&socket).unwrap();
        let listener = run.listen().unwrap();
        assert_eq!(std::fs::metadata(&socket).unwrap().mode() & 0o777, 0o600);
        // A socket whose host has died is replaced.
        drop(listener);
        run.listen().unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "lock, id, socket");
    }

    #[test]
    fn a_path_that_fits_no_address_is_said() {
        let dir = dir();
        let long = dir.path().join("x".repeat(120));
        let run = RunDir::open(&long, None).unwrap();
        assert!(matches!(run.listen(), Err(RuntimeError::TooLong(_))));
    }

    #[test]
    fn the_secret_is_made_once_and_private() {
        let dir = dir();
        let run = RunDir::open(dir.path(), None).unwrap();
        let secret = run.secret(None).unwrap();
        assert_eq!((secret.len(), run.secret(None).unwrap()), (64, secret));
        let file = dir.path().join("link.secret");
        assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        std::fs::write(&file, "short").unwrap();
        assert!(run.secret(Some(&file)).is_err());
    }

    #[test]
    fn the_store_is_remembered() {
        let dir = dir();
        let state = StateDir::open(dir.path()).unwrap();
        assert_eq!(state.store().unwrap(), None);
        let store = StoreId::from_random([7; 16]);
        state.bind_store(store).unwrap();
        let again = StateDir::open(dir.path()).unwrap();
        assert_eq!((again.store().unwrap(), again.host), (Some(store), state.host));
    }
}
