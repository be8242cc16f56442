//! Short programs of the host's own: the login shell that tells its environment, a CLI that tells
//! its version.
//!
//! Each runs in a session without a terminal. One that takes too long is ended by the ladder, not
//! killed outright: login shells hold locks, which only a program that is asked lets go.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;

use crate::ending::{self, Whom};
use crate::environment::Variables;
use crate::exec_child::Plan;
use crate::procs::{self, Children, Stat, Trace};

/// Most bytes that are taken from one.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// What a program prints until it ends.
///
/// # Errors
///
/// `TimedOut` after `most`, or whatever kept it from running.
pub(crate) async fn output(
    plan: &Plan,
    env: &Variables,
    most: Duration,
    children: &Arc<Children>,
) -> io::Result<Vec<u8>> {
    let (output, stdout) = io::pipe()?;
    let mut command = Command::new("/proc/self/exe");
    command.args(plan.to_args()).env_clear().envs(env).current_dir("/");
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    let (pid, pidfd) = children.start(|| command.spawn().map(|child| child.id()))??;
    // It holds an end of the pipe.
    drop(command);
    let _end = End { pid, children: Arc::clone(children) };
    let output = Receiver::from_owned_fd(output.into())?;
    tokio::time::timeout(most, read(output, pidfd))
        .await
        .map_err(|_elapsed| io::ErrorKind::TimedOut)?
}

/// Reads until the program has ended, whoever else still has its output open.
async fn read(mut output: Receiver, pidfd: OwnedFd) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let ended = procs::wait(pidfd);
    tokio::pin!(ended);
    while bytes.len() < MAX_BYTES {
        tokio::select! {
            biased;
            read = output.read_buf(&mut bytes) => if read? == 0 { break },
            ended = &mut ended => {
                ended?;
                while output.try_read_buf(&mut bytes).is_ok_and(|read| read > 0) {}
                break;
            }
        }
    }
    Ok(bytes)
}

/// Ends the program, if it has not ended, and whatever it left behind.
struct End {
    pid: u32,
    children: Arc<Children>,
}

impl Drop for End {
    fn drop(&mut self) {
        let (pid, children) = (self.pid, Arc::clone(&self.children));
        // A zombie has a start time too; what is gone already left nothing of its session that
        // could be told from a stranger's.
        let Some(stat) = Stat::read(pid) else { return children.forget(pid) };
        let trace = Trace { mark: String::new(), leader: pid, started: stat.started, tty: None };
        // A host that is ending lets its helpers end by themselves.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let left = ending::end(Whom::Session(trace, None)).await;
            if !left.is_empty() {
                tracing::warn!(?left, "a helper could not be ended");
            }
            children.forget(pid);
        });
    }
}
