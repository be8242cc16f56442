//! The core's own socket: how `glasshouse signin` and its like reach a running core.
//!
//! Whoever may open it is the owner, so the kernel is asked who that is. A program inside a pane
//! runs as the same user: it is turned away by the mark that every pane's processes carry. That is
//! a fence and not a wall, since a program can shed its mark; the wall is another user.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

use super::Peer;

/// The mark in the environment of every process of a pane.
const PANE_MARK: &[u8] = b"GLASSHOUSE_SESSION=";

/// The core's own socket. Its file goes when it is dropped.
#[derive(Debug)]
pub struct LocalSocket {
    listener: UnixListener,
    path: PathBuf,
    /// Who may come.
    uid: u32,
}

/// Binds the socket for the user `uid`. One left over by a core that was killed is replaced: the
/// caller holds the data directory's lock, so it is no living core's.
///
/// # Errors
///
/// When the file cannot be made.
pub fn bind(path: &Path, uid: u32) -> io::Result<LocalSocket> {
    let making = path.with_extension("new");
    for left_over in [&making, path] {
        match std::fs::remove_file(left_over) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    let listener = UnixListener::bind(&making)?;
    std::fs::set_permissions(&making, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&making, path)?;
    Ok(LocalSocket { listener, path: path.to_owned(), uid })
}

impl LocalSocket {
    /// The next one who may come in. Others are closed.
    pub(super) async fn accept(&self) -> io::Result<(UnixStream, Peer)> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            let peer = stream.peer_cred()?;
            let pid = peer.pid().unwrap_or(0);
            if peer.uid() != self.uid {
                tracing::warn!(uid = peer.uid(), "turned a foreign user away from our own socket");
            } else if in_pane(pid) {
                tracing::warn!(pid, "turned a program in a pane away from our own socket");
            } else {
                return Ok((stream, Peer::local()));
            }
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(%error, "our own socket was gone already");
        }
    }
}

/// Whether a process was started inside a pane. One that cannot be read is believed to be.
fn in_pane(pid: i32) -> bool {
    match std::fs::read(format!("/proc/{pid}/environ")) {
        Ok(environ) => environ.split(|byte| *byte == 0).any(|pair| pair.starts_with(PANE_MARK)),
        Err(_) => true,
    }
}
