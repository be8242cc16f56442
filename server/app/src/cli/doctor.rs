//! `glasshouse doctor`: what this machine has and lacks, a line each.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::ExitCode;

use tokio::net::UnixStream;

use super::say;
use crate::config::Dirs;

/// Longest path of a socket.
const SOCKET_PATH_MAX_BYTES: usize = 107;

pub(super) async fn run(dirs: &Dirs) -> anyhow::Result<ExitCode> {
    let host = std::env::current_exe()?.with_file_name("glasshouse-host");
    let sockets = [dirs.core_socket(), dirs.run.join("host.sock")];
    let answers = [
        (
            host.is_file(),
            "the pane host's executable is beside this one",
            "glasshouse-host is missing beside this executable",
        ),
        (
            private_or_absent(&dirs.data),
            "nobody else may look into the data directory",
            "others may look into the data directory: chmod 700 it",
        ),
        (
            sockets.iter().all(|path| path.as_os_str().len() <= SOCKET_PATH_MAX_BYTES),
            "the sockets' paths are short enough",
            "the directories' names are too long for sockets: use a shorter --data",
        ),
        (
            UnixStream::connect(&sockets[0]).await.is_ok(),
            "a core runs",
            "no core runs: `glasshouse serve` starts one",
        ),
        (
            UnixStream::connect(&sockets[1]).await.is_ok(),
            "a pane host runs",
            "no pane host runs: `glasshouse serve` starts one",
        ),
    ];
    say(&format!("data in {}", dirs.data.display()))?;
    for (good, yes, no) in answers {
        say(&if good { format!("  ok  {yes}") } else { format!("  --  {no}") })?;
    }
    let whole = answers.iter().take(3).all(|(good, _, _)| *good);
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn private_or_absent(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |found| found.permissions().mode() & 0o077 == 0)
}
