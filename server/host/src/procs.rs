//! Processes, as `/proc` shows them: who belongs to which session, and signals that can only reach
//! who was meant.
//!
//! A pid is a number that is used again. So a process is named by pid *and* start time, a signal
//! goes through a pidfd that was opened before the start time was compared, and nothing is ever
//! sent to pid 1 or below, or to ourselves.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use crate::pty::{pidfd, watch};

/// The variable that marks every process of a session: `<runtime directory>/<session>`.
pub const MARK: &str = "GLASSHOUSE_SESSION";

/// One line of `/proc/PID/stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its pid.
    pub pid: u32,
    /// Its name, at most 15 bytes.
    pub name: String,
    /// `R`, `S`, `T`, `Z` and so on.
    pub state: char,
    /// Its parent.
    pub parent: u32,
    /// Its session in the kernel's sense.
    pub sid: u32,
    /// Its terminal's device number; 0 for none.
    pub tty: u64,
    /// Processor time used so far, in clock ticks.
    pub ticks: u64,
    /// When it started, in clock ticks since boot.
    pub started: u64,
}

impl Stat {
    /// A process as it is now; none when there is no such one.
    pub fn read(pid: u32) -> Option<Self> {
        let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    fn parse(text: &str) -> Option<Self> {
        // The name is in parentheses and may hold anything, these included.
        let (pid, rest) = text.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let state = fields.next()?.chars().next()?;
        let parent = fields.next()?.parse().ok()?;
        let sid = fields.nth(1)?.parse().ok()?;
        let tty = fields.next()?.parse().ok()?;
        let user: u64 = fields.nth(6)?.parse().ok()?;
        let system: u64 = fields.next()?.parse().ok()?;
        let started = fields.nth(6)?.parse().ok()?;
        let (pid, name) = (pid.parse().ok()?, name.to_owned());
        Some(Self { pid, name, state, parent, sid, tty, ticks: user + system, started })
    }

    /// Whether it is alive: a zombie needs only be waited for.
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, 'Z' | 'X')
    }
}

/// All processes of the machine.
pub fn scan() -> Vec<Stat> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Stat::read)
        .collect()
}

/// What tells the processes of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The value of [`MARK`] in their environment.
    pub mark: String,
    /// The program's pid, which is its kernel session's id too.
    pub leader: u32,
    /// When the program started.
    pub started: u64,
    /// The terminal, while we have it open: its number is used again afterwards.
    pub tty: Option<u64>,
}

/// Those of `all` that belong to a session: by kernel session, terminal or mark, and whatever
/// these have started. `mark_of` reads a process's mark.
pub fn members(all: &[Stat], trace: &Trace, mark_of: impl Fn(u32) -> Option<String>) -> Vec<Stat> {
    let leader_reused =
        all.iter().any(|stat| stat.pid == trace.leader && stat.started != trace.started);
    let belongs = |stat: &&Stat| {
        let by_sid = stat.sid == trace.leader && !leader_reused && stat.started >= trace.started;
        let by_tty = trace.tty.is_some_and(|tty| tty != 0 && stat.tty == tty);
        by_sid || by_tty || mark_of(stat.pid).is_some_and(|mark| mark == trace.mark)
    };
    let mut found: HashMap<u32, &Stat> =
        all.iter().filter(belongs).map(|stat| (stat.pid, stat)).collect();
    // Children that shed all three: `env -i setsid ...`.
    loop {
        let more: Vec<&Stat> = all
            .iter()
            .filter(|stat| found.contains_key(&stat.parent) && !found.contains_key(&stat.pid))
            .collect();
        if more.is_empty() {
            break;
        }
        found.extend(more.into_iter().map(|stat| (stat.pid, stat)));
    }
    let myself = std::process::id();
    let mut found: Vec<Stat> = found.into_values().cloned().collect();
    found.retain(|stat| stat.pid > 1 && stat.pid != myself);
    found.sort_by_key(|stat| stat.pid);
    found
}

/// The mark in a process's environment. That of another user's process cannot be read.
pub fn mark_of(pid: u32) -> Option<String> {
    let environ = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mark = environ.split(|&byte| byte == 0).find_map(|entry| {
        entry.strip_prefix(MARK.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
    })?;
    String::from_utf8(mark.to_vec()).ok()
}

/// Who a process runs as.
pub fn owner_of(pid: u32) -> Option<u32> {
    std::fs::metadata(format!("/proc/{pid}")).ok().map(|metadata| metadata.uid())
}

/// Sends a signal to exactly this process. One that has ended is no error.
///
/// # Errors
///
/// `PermissionDenied` for another user's.
pub fn signal(stat: &Stat, signal: Signal) -> io::Result<()> {
    if stat.pid <= 1 || stat.pid == std::process::id() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let gone = |error: &io::Error| error.raw_os_error() == Some(libc::ESRCH);
    let target = match pidfd(stat.pid) {
        Err(error) if gone(&error) => return Ok(()),
        target => target?,
    };
    if Stat::read(stat.pid).is_none_or(|now| now.started != stat.started) {
        return Ok(());
    }
    match rustix::process::pidfd_send_signal(target, signal).map_err(io::Error::from) {
        Err(error) if gone(&error) => Ok(()),
        sent => sent,
    }
}

/// Our own children that somebody else waits for. All others are orphans of sessions, which come
/// to us because we are a subreaper, and are waited for here.
#[derive(Debug, Default)]
pub struct Children {
    awaited: Mutex<HashSet<u32>>,
}

impl Children {
    /// Starts a child for which the caller waits through the pidfd, then calls
    /// [`Children::forget`].
    ///
    /// # Errors
    ///
    /// The outer one is that of `start`, the inner one that of opening the pidfd.
    pub fn start<E>(
        &self,
        start: impl FnOnce() -> Result<u32, E>,
    ) -> Result<io::Result<(u32, OwnedFd)>, E> {
        // Held over the fork, so that a child that ends at once is not taken for an orphan.
        let mut awaited = self.lock();
        let pid = start()?;
        let opened = pidfd(pid);
        if opened.is_ok() {
            awaited.insert(pid);
        }
        Ok(opened.map(|fd| (pid, fd)))
    }

    /// The child was waited for, or never will be.
    pub fn forget(&self, pid: u32) {
        self.lock().remove(&pid);
    }

    /// Waits for orphans that have ended. Blocks for a look at `/proc`.
    pub fn reap_orphans(&self) {
        let myself = std::process::id();
        let ended = scan().into_iter().filter(|stat| stat.parent == myself && !stat.is_alive());
        for stat in ended {
            let awaited = self.lock();
            if awaited.contains(&stat.pid) {
                continue;
            }
            let pid = i32::try_from(stat.pid).ok().and_then(Pid::from_raw);
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
            if let Some(Err(error)) =
                pid.map(|pid| rustix::process::waitid(WaitId::Pid(pid), options))
            {
                tracing::debug!(pid = stat.pid, %error, "an orphan could not be waited for");
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<u32>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a child through its pidfd, without asking how it ended.
///
/// # Errors
///
/// Whatever the kernel says.
pub async fn wait(pidfd: OwnedFd) -> io::Result<()> {
    let pidfd = watch(pidfd)?;
    loop {
        let mut ready = pidfd.readable().await?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        if rustix::process::waitid(WaitId::PidFd(pidfd.as_fd()), options)?.is_some() {
            return Ok(());
        }
        ready.clear_ready();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(pid: u32, parent: u32, sid: u32, tty: u64, started: u64) -> Stat {
        Stat { pid, name: String::new(), state: 'S', parent, sid, tty, ticks: 0, started }
    }

    fn trace() -> Trace {
        Trace { mark: "run/a".to_owned(), leader: 100, started: 50, tty: Some(34_816) }
    }

    fn pids(all: &[Stat], trace: &Trace, marked: &[u32]) -> Vec<u32> {
        let mark_of = |pid| marked.contains(&pid).then(|| "run/a".to_owned());
        members(all, trace, mark_of).iter().map(|stat| stat.pid).collect()
    }

    #[test]
    fn a_line_is_read_whatever_the_name_holds() {
        let line = "42 (a) b (c) S 7 42 41 34816 42 4194304 1 2 3 4 11 5 0 0 20 0 1 0 987 1 2";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.pid, stat.name.as_str(), stat.parent, stat.sid), (42, "a) b (c", 7, 41));
        assert_eq!((stat.tty, stat.ticks, stat.started), (34_816, 16, 987));
        assert_eq!(Stat::parse("42 (a) S 7"), None);
    }

    #[test]
    fn we_find_ourselves() {
        let myself = Stat::read(std::process::id()).unwrap();
        assert!(myself.is_alive() && myself.started > 0);
        assert!(scan().iter().any(|stat| stat.pid == myself.pid));
    }

    #[test]
    fn members_are_found_by_session_terminal_mark_and_descent() {
        let all = [
            stat(100, 9, 100, 34_816, 50),
            stat(101, 100, 100, 34_816, 60),
            stat(102, 9, 102, 34_816, 61),
            stat(103, 9, 103, 0, 62),
            stat(104, 103, 104, 0, 63),
            stat(105, 104, 105, 0, 64),
            stat(200, 9, 200, 0, 65),
            stat(1, 0, 1, 0, 1),
        ];
        assert_eq!(pids(&all, &trace(), &[103, 1]), [100, 101, 102, 103, 104, 105]);
    }

    #[test]
    fn a_reused_pid_or_terminal_is_not_ours() {
        let all = [stat(100, 9, 100, 34_816, 900), stat(101, 100, 100, 34_816, 901)];
        let closed = Trace { tty: None, ..trace() };
        assert!(pids(&all, &closed, &[]).is_empty());
        // The leader is gone, its children are not.
        let all = [stat(101, 1, 100, 0, 60), stat(102, 1, 100, 0, 40)];
        assert_eq!(pids(&all, &closed, &[]), [101]);
    }

    #[test]
    fn nothing_is_sent_to_init_or_ourselves() {
        for pid in [0, 1, std::process::id()] {
            let error = signal(&stat(pid, 0, 0, 0, 0), Signal::TERM).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn a_recycled_pid_is_not_signalled() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let stat = Stat::read(child.id()).unwrap();
        let other = Stat { started: stat.started + 1, ..stat.clone() };
        signal(&other, Signal::KILL).unwrap();
        assert!(child.try_wait().unwrap().is_none());
        signal(&stat, Signal::KILL).unwrap();
        assert!(!child.wait().unwrap().success());
        signal(&stat, Signal::KILL).unwrap();
    }
}
