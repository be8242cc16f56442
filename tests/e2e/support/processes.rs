//! Processes as `/proc` shows them: which are there, what they were started with, how to end them.

use std::path::PathBuf;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process that was there when we looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) command: String,
}

/// Every process whose command line or environment names `mark`.
pub(crate) fn marked(mark: &str) -> Vec<Process> {
    all()
        .into_iter()
        .filter(|pid| {
            let folder = PathBuf::from(format!("/proc/{pid}"));
            ["cmdline", "environ"].iter().any(|file| {
                let bytes = std::fs::read(folder.join(file)).unwrap_or_default();
                contains(&bytes, mark.as_bytes())
            })
        })
        .map(|pid| Process { pid, command: command(pid) })
        .collect()
}

/// Whether a process is there and no zombie.
pub(crate) fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name stands in brackets and may hold anything; the state follows the last one.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// What a process was started with.
pub(crate) fn command(pid: i32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim().to_owned()
}

/// Sends a signal to a process if it is there; answers whether it was.
pub(crate) fn signal(pid: i32, signal: Signal) -> bool {
    let Some(pid) = Pid::from_raw(pid) else { return false };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    pidfd_send_signal(handle, signal).is_ok()
}

fn all() -> Vec<i32> {
    let own = i32::try_from(std::process::id()).expect("a pid fits");
    let entries = std::fs::read_dir("/proc").expect("/proc is mounted");
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != own)
        .collect()
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && haystack.windows(needle.len()).any(|window| window == needle)
}
