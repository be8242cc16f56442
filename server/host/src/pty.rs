//! One pseudo-terminal and the program that is started on it.
//!
//! `portable-pty` opens the pair and starts the child; from then on we hold our own duplicate of
//! the master, which never blocks. Its reader, writer and child are not used: they block a thread
//! each, write an end-of-file into the terminal when dropped, and signal pids that may already be
//! somebody else's.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::fs::OFlags;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use rustix::termios::{LocalModes, Winsize};
use tokio::io::unix::AsyncFd;
use wire::browser::Exit;

use crate::exec_child::Plan;
use crate::procs::{Children, Stat};

/// A size in cells, with the pixels of a cell when they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Columns.
    pub(crate) cols: u16,
    /// Rows.
    pub(crate) rows: u16,
    /// Width and height of a cell.
    pub(crate) cell: Option<(u16, u16)>,
}

impl Size {
    fn pixels(self) -> (u16, u16) {
        let (width, height) = self.cell.unwrap_or((0, 0));
        (width.saturating_mul(self.cols), height.saturating_mul(self.rows))
    }
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// No descriptor, process or terminal is left on this machine.
    #[error("too many files, terminals or processes: {0}")]
    Exhausted(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// The master side of a terminal.
#[derive(Debug)]
pub(crate) struct Pty {
    master: AsyncFd<OwnedFd>,
    /// The device number of the terminal, as `/proc/PID/stat` has it.
    pub(crate) tty: u64,
}

/// A program that runs on a terminal, or did.
#[derive(Debug)]
pub(crate) struct Program {
    pidfd: AsyncFd<OwnedFd>,
    /// Its pid, as long as [`Program::exit`] has not answered.
    pub(crate) pid: u32,
    /// When it started, in clock ticks since boot: with the pid it names one process for ever.
    pub(crate) started: u64,
}

/// Starts a program. Blocks for a fork.
///
/// # Errors
///
/// [`StartError`].
pub(crate) fn start(
    plan: &Plan,
    env: &[(OsString, OsString)],
    size: Size,
    children: &Children,
) -> Result<Parts, StartError> {
    let (xpixel, ypixel) = size.pixels();
    let size =
        PtySize { cols: size.cols, rows: size.rows, pixel_width: xpixel, pixel_height: ypixel };
    let pair = native_pty_system().openpty(size).map_err(|error| sort(&error))?;
    let mut command = CommandBuilder::new("/proc/self/exe");
    command.env_clear();
    for (name, value) in env {
        command.env(name, value);
    }
    command.args(plan.to_args());
    command.cwd("/");
    let master = duplicate(pair.master.as_raw_fd()).map_err(|error| sort(&error.into()))?;
    let flags = rustix::fs::fcntl_getfl(&master).map_err(io::Error::from);
    flags
        .and_then(|flags| Ok(rustix::fs::fcntl_setfl(&master, flags | OFlags::NONBLOCK)?))
        .map_err(|error| sort(&error.into()))?;
    let tty = pair.master.tty_name().map_or(Ok(0), |path| tty_number(&path));
    let tty = tty.map_err(|error| sort(&error.into()))?;
    let (pid, pidfd) = children
        .start(|| {
            let child = pair.slave.spawn_command(command).map_err(|error| sort(&error))?;
            child.process_id().ok_or_else(|| StartError::Failed("it has no pid".to_owned()))
        })?
        .map_err(|error| sort(&error.into()))?;
    let started = Stat::read(pid).map_or(0, |stat| stat.started);
    Ok(Parts { master, tty, pidfd, pid, started })
}

/// A program just started, not yet watched by a runtime.
#[derive(Debug)]
pub(crate) struct Parts {
    master: OwnedFd,
    tty: u64,
    pidfd: OwnedFd,
    pid: u32,
    started: u64,
}

impl Parts {
    /// Has the current runtime watch both.
    ///
    /// # Errors
    ///
    /// Whatever epoll says.
    pub(crate) fn watch(self) -> io::Result<(Pty, Program)> {
        let Self { master, tty, pidfd, pid, started } = self;
        let pty = Pty { master: watch(master)?, tty };
        let program = Program { pidfd: watch(pidfd)?, pid, started };
        Ok((pty, program))
    }
}

/// What reading brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// So many bytes; there may be more.
    Full(usize),
    /// So many bytes, and no more now.
    Drained(usize),
    /// So many bytes, and never more: nobody has the terminal open.
    Ended(usize),
}

impl Pty {
    /// Waits until there is something to read.
    ///
    /// # Errors
    ///
    /// Whatever epoll says.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        self.master.readable().await?.retain_ready();
        Ok(())
    }

    /// Reads until the buffer is full or nothing is left. Never blocks: the kernel hands out about
    /// 4 KiB a call.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> Read {
        let mut filled = 0;
        loop {
            let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) else {
                return Read::Full(filled);
            };
            let read = self.ready(|master| rustix::io::read(master, &mut *room), Interest::Read);
            match read {
                Ok(0) => return Read::Ended(filled),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Read::Drained(filled);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // EIO: the last one that had the terminal open is gone.
                Err(_) => return Read::Ended(filled),
            }
        }
    }

    /// Waits until something can be written.
    ///
    /// # Errors
    ///
    /// Whatever epoll says.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        self.master.writable().await?.retain_ready();
        Ok(())
    }

    /// Writes what the terminal takes now. Never blocks.
    ///
    /// # Errors
    ///
    /// `WouldBlock` when it takes nothing.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.ready(|master| rustix::io::write(master, bytes), Interest::Write)
    }

    /// Sets the size and tells the foreground group.
    ///
    /// # Errors
    ///
    /// Whatever the kernel says.
    pub(crate) fn resize(&self, size: Size) -> io::Result<()> {
        let (ws_xpixel, ws_ypixel) = size.pixels();
        let size = Winsize { ws_row: size.rows, ws_col: size.cols, ws_xpixel, ws_ypixel };
        Ok(rustix::termios::tcsetwinsize(&self.master, size)?)
    }

    /// Whether Ctrl-C typed now would be a mere byte to a program that reads lines: it could not be
    /// interrupted by keys at all.
    pub(crate) fn is_deaf(&self) -> bool {
        rustix::termios::tcgetattr(&self.master).is_ok_and(|modes| {
            modes.local_modes.contains(LocalModes::ICANON)
                && !modes.local_modes.contains(LocalModes::ISIG)
        })
    }

    /// The process group in the foreground.
    pub(crate) fn foreground(&self) -> Option<Pid> {
        rustix::termios::tcgetpgrp(&self.master).ok()
    }

    /// Sends SIGINT to the foreground group. The kernel looks the group up, so no pid can be
    /// reused in between.
    ///
    /// # Errors
    ///
    /// Whatever the kernel says.
    #[expect(unsafe_code, reason = "rustix has no TIOCSIG")]
    pub(crate) fn interrupt(&self) -> io::Result<()> {
        use rustix::ioctl::{IntegerSetter, ioctl};
        const TIOCSIG: rustix::ioctl::Opcode =
            rustix::ioctl::opcode::write::<libc::c_int>(b'T', 0x36);
        let signal = usize::try_from(Signal::INT.as_raw()).map_err(io::Error::other)?;
        // SAFETY: TIOCSIG takes a signal number and touches no memory of ours.
        unsafe { ioctl(&self.master, IntegerSetter::<TIOCSIG>::new_usize(signal))? };
        Ok(())
    }

    /// Runs an operation and forgets the readiness when it would have blocked.
    fn ready<T>(
        &self,
        mut operation: impl FnMut(BorrowedFd<'_>) -> rustix::io::Result<T>,
        interest: Interest,
    ) -> io::Result<T> {
        let result = operation(self.master.as_fd()).map_err(io::Error::from);
        if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
            let interest = match interest {
                Interest::Read => tokio::io::Interest::READABLE,
                Interest::Write => tokio::io::Interest::WRITABLE,
            };
            return self.master.try_io(interest, |master| Ok(operation(master.as_fd())?));
        }
        result
    }
}

/// Which readiness an operation may use up.
#[derive(Clone, Copy)]
enum Interest {
    Read,
    Write,
}

impl Program {
    /// Waits until it has ended, and reaps it.
    ///
    /// # Errors
    ///
    /// Whatever the kernel says; the program is then to be taken for gone.
    pub(crate) async fn exit(&self) -> io::Result<Exit> {
        loop {
            let mut ready = self.pidfd.readable().await?;
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
            let status = rustix::process::waitid(WaitId::PidFd(self.pidfd.as_fd()), options)?;
            if let Some(status) = status {
                let code = status.exit_status().map(Exit::Code);
                let signal = status.terminating_signal().map(Exit::Signal);
                return code
                    .or(signal)
                    .ok_or_else(|| io::Error::other("it neither exited nor died"));
            }
            ready.clear_ready();
        }
    }
}

/// Has the current runtime watch a descriptor.
///
/// # Errors
///
/// Whatever epoll says.
#[expect(unsafe_code, reason = "tokio's safe constructor is deprecated as unsound")]
pub(crate) fn watch(descriptor: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an OwnedFd is open, and stays the same descriptor, for as long as it lives; the
    // AsyncFd owns it and nobody here takes or replaces it.
    Ok(unsafe { AsyncFd::register(descriptor) }?)
}

/// Opens a pidfd of a child that nobody has reaped.
pub(crate) fn pidfd(pid: u32) -> io::Result<OwnedFd> {
    let raw = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let pid = raw.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok(rustix::process::pidfd_open(pid, PidfdFlags::empty())?)
}

#[expect(unsafe_code, reason = "portable-pty gives its master out as a number only")]
fn duplicate(master: Option<libc::c_int>) -> io::Result<OwnedFd> {
    let master = master.ok_or_else(|| io::Error::other("the terminal has no descriptor"))?;
    // SAFETY: the pair, which owns this descriptor, outlives this call.
    let master = unsafe { BorrowedFd::borrow_raw(master) };
    Ok(rustix::io::fcntl_dupfd_cloexec(master, 3)?)
}

/// A terminal's device number as the kernel prints it in `/proc/PID/stat`.
fn tty_number(path: &Path) -> io::Result<u64> {
    let device = rustix::fs::stat(path)?.st_rdev;
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    Ok(u64::from((minor & 0xff) | (major << 8) | ((minor & !0xff) << 12)))
}

/// portable-pty keeps the errors of `openpty` and `dup` as text only, so their number is looked for
/// in there.
fn sort(error: &anyhow::Error) -> StartError {
    const EXHAUSTED: [i32; 5] =
        [libc::EMFILE, libc::ENFILE, libc::EAGAIN, libc::ENOMEM, libc::ENOSPC];
    let text = format!("{error:#}");
    let typed = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    let exhausted = EXHAUSTED.iter().any(|&code| {
        let named = |form: &str| text.contains(form);
        typed == Some(code)
            || named(&format!("code: {code},"))
            || named(&format!("(os error {code})"))
    });
    if exhausted { StartError::Exhausted(text) } else { StartError::Failed(text) }
}
