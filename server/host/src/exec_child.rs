//! The first moments of a program, between the host's fork and the program's exec.
//!
//! Runs as `glasshouse-host exec-child ...` in the child, on the pane's terminal and with the
//! program's own environment. It is a program of its own because what happens between fork and
//! exec of a process with threads may not even allocate; here everything may. Whatever fails is
//! said on the terminal, where the person looks, and ends with 126 (127: no such command), as
//! shells do.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit};
use rustix::termios::{InputModes, LocalModes, OptionalActions};

/// The host's first argument that leads here.
pub const VERB: &str = "exec-child";
/// What a shell exits with when it cannot run a command ...
const CANNOT_RUN: u8 = 126;
/// ... and when there is none.
const NOT_FOUND: u8 = 127;
/// The highest signal number of Linux.
const LAST_SIGNAL: i32 = 64;

/// What to set up, and then what to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The executable, absolute.
    pub program: PathBuf,
    /// What it is told its name is.
    pub name: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Whether Ctrl-C is a signal (shells) or the byte 0x03 (CLIs).
    pub interrupt_is_signal: bool,
    /// The mask for files it creates.
    pub umask: u32,
    /// The soft limit of open files that the host was started with.
    pub nofile: Option<u64>,
    /// No terminal at all: for the login shell that is asked for its environment.
    pub detached: bool,
}

impl Plan {
    /// As arguments of this executable.
    pub fn to_args(&self) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec![
            VERB.into(),
            if self.interrupt_is_signal { "tty" } else { "byte" }.into(),
            if self.detached { "detached" } else { "terminal" }.into(),
            self.umask.to_string().into(),
            self.nofile.unwrap_or(0).to_string().into(),
            self.cwd.clone().into(),
            self.program.clone().into(),
            self.name.clone(),
        ];
        args.extend(self.args.iter().cloned());
        args
    }

    /// From what follows the verb; none when it did not come from [`Plan::to_args`].
    pub fn from_args(mut args: impl Iterator<Item = OsString>) -> Option<Self> {
        let interrupt_is_signal = args.next()? == "tty";
        let detached = args.next()? == "detached";
        let umask = args.next()?.to_str()?.parse().ok()?;
        let nofile = Some(args.next()?.to_str()?.parse().ok()?).filter(|limit| *limit > 0);
        let cwd = args.next()?.into();
        let program = args.next()?.into();
        let name = args.next()?;
        let args = args.collect();
        Some(Self { program, name, args, cwd, interrupt_is_signal, umask, nofile, detached })
    }
}

/// Sets everything up and becomes the program. Returns only when it could not.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(plan) = Plan::from_args(args) else {
        say("this verb is for the pane host alone", &io::ErrorKind::InvalidInput.into());
        return CANNOT_RUN.into();
    };
    match become_program(&plan) {
        Ok(never) => match never {},
        Err(failure) => {
            say(&failure.what, &failure.error);
            let missing = failure.running && failure.error.kind() == io::ErrorKind::NotFound;
            if missing { NOT_FOUND } else { CANNOT_RUN }.into()
        }
    }
}

/// What could not be done.
struct Failure {
    what: String,
    error: io::Error,
    /// It was the exec itself.
    running: bool,
}

fn become_program(plan: &Plan) -> Result<Infallible, Failure> {
    let doing = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| Failure { what, error, running: false }
    };
    if plan.detached {
        rustix::process::setsid().map_err(io::Error::from).map_err(doing("no new session"))?;
    } else {
        set_terminal(plan.interrupt_is_signal).map_err(doing("the terminal cannot be set up"))?;
    }
    reset_signals();
    close_descriptors().map_err(doing("open files cannot be closed"))?;
    rustix::process::umask(Mode::from_raw_mode(plan.umask & 0o777));
    // Limits that cannot be lowered any further are low already.
    let limits = [(Resource::Core, Some(0)), (Resource::Nofile, plan.nofile)];
    for (resource, soft) in limits {
        let had = rustix::process::getrlimit(resource);
        let current = soft.or(had.current);
        let limit = Rlimit { current, maximum: had.maximum };
        rustix::process::setrlimit(resource, limit)
            .map_err(io::Error::from)
            .map_err(doing("a limit cannot be set"))?;
    }
    std::env::set_current_dir(&plan.cwd)
        .map_err(doing(&format!("cannot start in {}", plan.cwd.display())))?;
    let error = Command::new(&plan.program).arg0(&plan.name).args(&plan.args).exec();
    Err(Failure { what: format!("cannot run {}", plan.program.display()), error, running: true })
}

fn set_terminal(interrupt_is_signal: bool) -> io::Result<()> {
    let stdin = io::stdin();
    let mut modes = rustix::termios::tcgetattr(&stdin)?;
    modes.input_modes |= InputModes::IUTF8;
    modes.local_modes.set(LocalModes::ISIG, interrupt_is_signal);
    rustix::termios::tcsetattr(&stdin, OptionalActions::Now, &modes)?;
    Ok(())
}

/// Every signal to its default, none blocked: a host under `nohup` must not make panes that
/// ignore HUP.
#[expect(unsafe_code, reason = "std and rustix cannot set dispositions")]
fn reset_signals() {
    // The kernel's own layout: handler (0: the default), flags, restorer, mask.
    let default = [0_u64; 4];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the default runs none of our code, and `default` is as long as the kernel reads.
        // glibc's `signal` will not touch the two it uses itself, which may be ignored as well.
        // Those that nobody can set are refused, which changes nothing.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                std::ptr::null_mut::<u64>(),
                size_of::<u64>(),
            );
        }
    }
    // SAFETY: a set of zeroes is an empty set on Linux, and only this thread exists.
    unsafe {
        let empty: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &raw const empty, std::ptr::null_mut());
    }
}

/// Closes everything but the terminal, whatever the host forgot to mark.
#[expect(unsafe_code, reason = "rustix has no close_range")]
fn close_descriptors() -> io::Result<()> {
    // SAFETY: nothing in this process uses a descriptor above 2.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// One line on the terminal, or wherever stderr goes.
fn say(what: &str, error: &io::Error) {
    let line = [b"glasshouse: ", what.as_bytes(), b": ", reason(error).as_bytes(), b"\n"].concat();
    // With the terminal gone there is nobody to tell; the exit code still says it.
    drop(io::stderr().write_all(&line));
}

fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        "no such file or directory".to_owned()
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        "permission denied".to_owned()
    } else {
        error.to_string()
    }
}

/// Whether a word can be handed to exec at all: the kernel takes no NUL.
pub fn is_word(word: &OsStr) -> bool {
    !word.as_bytes().contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_comes_back_from_its_arguments() {
        let plan = Plan {
            program: "/bin/echo".into(),
            name: "echo".into(),
            args: vec!["".into(), "--byte".into(), OsStr::from_bytes(&[0xff]).into()],
            cwd: "/tmp".into(),
            interrupt_is_signal: true,
            umask: 0o22,
            nofile: Some(1024),
            detached: false,
        };
        let args = plan.to_args().into_iter().skip(1);
        assert_eq!(Plan::from_args(args), Some(plan));
        assert_eq!(Plan::from_args(["tty".into()].into_iter()), None);
    }
}
