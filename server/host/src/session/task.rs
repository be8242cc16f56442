//! The task of a session: waits for whatever comes first and hands it on.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use wire::browser::Exit;

use super::feed::CHUNK_BYTES;
use super::state::{Start, State};
use super::{Around, Command, Handle};
use crate::procs::Trace;
use crate::pty::{Program, Pty, Read};

/// How long the output of a program that has ended is read while somebody else still has its
/// terminal open.
const DRAIN: Duration = Duration::from_millis(500);
/// Reads after that, at most: the kernel holds less than so many buffers.
const DRAIN_READS: usize = 8;
/// How long an ended session is kept for those who look at it.
pub(super) const FORGET_AFTER: Duration = Duration::from_secs(60);

thread_local! {
    /// What terminals are read into: one a thread, since reading waits for nothing.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; CHUNK_BYTES]);
}

/// What woke the task.
enum Woken {
    Command(Option<Command>),
    Exited(Exit),
    Readable,
    Writable,
    Time,
}

/// Runs a session until it is forgotten.
pub(crate) async fn run(
    around: Around,
    handle: Handle,
    start: Start,
    mark: String,
    pty: Pty,
    program: Program,
    mut commands: mpsc::Receiver<Command>,
) {
    let trace = Trace { mark, leader: program.pid, started: program.started, tty: Some(pty.tty) };
    let mut state = State::new(handle, start, trace, pty, Instant::now());
    // When the terminal of a program that has ended is no longer read.
    let mut drained_by = None;
    loop {
        let now = Instant::now();
        state.on_time(now);
        if let Some(exit) = state.exit
            && state.pty.is_some()
            && drained_by.is_some_and(|by| now >= by)
        {
            drain(&mut state);
            state.on_over(exit, now);
        }
        state.settle_ending();
        let waits = state.waits(now);
        let drained_by_now = drained_by.filter(|_| state.pty.is_some());
        let deadline =
            [state.deadline(), drained_by_now, waits.flatten()].into_iter().flatten().min();
        match wait(&state, &program, &mut commands, waits.is_none(), deadline).await {
            Woken::Command(None) => break,
            Woken::Command(Some(command)) => {
                if !state.on_command(command, Instant::now()) {
                    break;
                }
            }
            Woken::Exited(exit) => {
                around.children.forget(program.pid);
                state.exit = Some(exit);
                state.hung_up = None;
                drained_by = Some(Instant::now() + DRAIN);
            }
            Woken::Readable => match read(&mut state) {
                Read::Drained(0) => {
                    state.on_nothing_read(Instant::now());
                    tokio::task::yield_now().await;
                }
                // A terminal that is always ready must not keep a processor from the others.
                Read::Full(_) | Read::Drained(_) => {
                    state.nothing_read = 0;
                    tokio::task::yield_now().await;
                }
                Read::Ended(_) => {
                    state.on_hangup(Instant::now());
                    drained_by = drained_by.map(|_| Instant::now());
                }
            },
            Woken::Writable => {
                if !state.write(Instant::now()) {
                    state.on_refused_write(Instant::now());
                }
                tokio::task::yield_now().await;
            }
            Woken::Time => {}
        }
        state.write(Instant::now());
    }
}

/// Takes what the program printed last and nobody has read: the kernel holds no more than this.
fn drain(state: &mut State) {
    for _ in 0..DRAIN_READS {
        let Read::Full(_) = read(state) else { return };
    }
}

async fn wait(
    state: &State,
    program: &Program,
    commands: &mut mpsc::Receiver<Command>,
    reads: bool,
    deadline: Option<Instant>,
) -> Woken {
    let pty = state.pty.as_deref();
    let open = pty.filter(|_| state.hung_up.is_none());
    tokio::select! {
        biased;
        command = commands.recv() => Woken::Command(command),
        exit = program.exit(), if state.exit.is_none() => Woken::Exited(exit.unwrap_or_else(|error| {
            tracing::error!(%error, "how a program ended is not known");
            Exit::Signal(libc::SIGKILL)
        })),
        () = readable(open), if open.is_some() && reads => Woken::Readable,
        () = writable(open), if open.is_some() && state.wants_to_write() => Woken::Writable,
        () = tokio::time::sleep_until(deadline.unwrap_or_else(Instant::now).into()),
            if deadline.is_some() => Woken::Time,
    }
}

/// Waits for a terminal. One that cannot be waited for counts as ready: using it will say why.
async fn readable(pty: Option<&Pty>) {
    if let Some(Err(error)) = ready(pty.map(Pty::readable)).await {
        tracing::error!(%error, "a terminal cannot be waited for");
    }
}

/// As [`readable`].
async fn writable(pty: Option<&Pty>) {
    if let Some(Err(error)) = ready(pty.map(Pty::writable)).await {
        tracing::error!(%error, "a terminal cannot be waited for");
    }
}

async fn ready<F: Future>(future: Option<F>) -> Option<F::Output> {
    match future {
        Some(future) => Some(future.await),
        None => None,
    }
}

/// Reads what there is, at most one buffer.
fn read(state: &mut State) -> Read {
    let Some(pty) = state.pty.clone() else { return Read::Ended(0) };
    BUFFER.with_borrow_mut(|buffer| {
        let read = pty.read(buffer);
        let (Read::Full(filled) | Read::Drained(filled) | Read::Ended(filled)) = read;
        if let Some(output) = buffer.get(..filled).filter(|output| !output.is_empty()) {
            state.on_output(output);
        }
        read
    })
}
