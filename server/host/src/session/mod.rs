//! One session: a task that owns its terminal, its output and its screen.
//!
//! Because one task does all of it, a join stands exactly between two outputs, and a key is judged
//! next to the terminal it is for. The task waits for nothing but its events: whatever it sends
//! goes into a bounded outbox, whatever may block runs elsewhere.

mod act;
mod command;
pub(crate) mod feed;
mod follow;
mod marks;
pub(crate) mod queue;
pub(crate) mod resize;
mod state;
mod task;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use link::{Frame, Outbox};
use pane::lease::Lease;
use tokio::sync::{mpsc, oneshot};
use wire::host::{InputHead, Reply, Request, SessionFacts};
use wire::{ErrorBody, ErrorCode, SessionId};

use crate::procs::Children;

pub(crate) use state::Start;
pub(crate) use task::run;

/// Commands that wait for a session; who sends more waits.
const COMMANDS: usize = 256;

/// Names sessions in output frames, host-wide: no two feeds share one.
static HANDLES: AtomicU64 = AtomicU64::new(1);

/// A number that no lane of any outbox has.
fn next_handle() -> u32 {
    // Wraps after four thousand million attaches, by when the first ones are gone.
    let handle = HANDLES.fetch_add(1, Ordering::Relaxed) & u64::from(u32::MAX);
    u32::try_from(handle).unwrap_or(u32::MAX)
}

/// A connection, as a session knows it.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    /// Its number.
    pub(crate) id: u64,
    /// Where answers go.
    pub(crate) outbox: Outbox,
}

impl Conn {
    /// Answers a request.
    pub(crate) fn answer(&self, id: u32, reply: Result<Reply, ErrorBody>) {
        if self.outbox.urgent(Frame::reply(id, reply)).is_err() {
            tracing::debug!(conn = self.id, "a closed connection gets no answer");
        }
    }
}

/// What is asked of a session.
#[derive(Debug)]
pub(crate) enum Command {
    /// A core's request about it.
    Request {
        /// Whose.
        conn: Conn,
        /// To be answered under this number.
        id: u32,
        /// What.
        request: Request,
    },
    /// Input.
    Input {
        /// Who types what.
        head: InputHead,
        /// The bytes.
        bytes: Bytes,
    },
    /// A connection has ended.
    Gone {
        /// Which.
        conn: u64,
    },
    /// How it is.
    Facts(oneshot::Sender<SessionFacts>),
    /// Its lease moves to the session that replaces it.
    HandOver(oneshot::Sender<Lease>),
    /// A look once a minute: is it needed, may it be forgotten?
    Look {
        /// Processor use since the last look, in percent of one.
        cpu_percent: u32,
        /// Whether a core is connected.
        core: bool,
        /// Answered with what to do.
        done: oneshot::Sender<Look>,
    },
    /// The host is about to end: read no more, and answer when all is stored.
    Finish(oneshot::Sender<()>),
    /// Nothing of it is alive any more, but these.
    AllEnded(Vec<(u32, String)>),
}

/// What a look at a session finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Nothing to do.
    Keep,
    /// Nobody needs it, and it can be resumed: end it.
    End,
    /// It has ended and everything is stored: forget it.
    Forget,
}

/// A way to a session. A cheap clone.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    /// Which.
    pub(crate) session: SessionId,
    /// The mark of its processes.
    pub(crate) mark: String,
    commands: mpsc::Sender<Command>,
    /// The end of its output, for when its task can no longer say.
    pub(crate) end: Arc<AtomicU64>,
}

impl Handle {
    /// A way to a session that is about to start, and what comes along it.
    pub(crate) fn new(session: SessionId, mark: String) -> (Self, mpsc::Receiver<Command>) {
        let (commands, receiver) = mpsc::channel(COMMANDS);
        (Self { session, mark, commands, end: Arc::default() }, receiver)
    }

    /// Hands a command over; one that cannot be is returned to be refused.
    pub(crate) async fn send(&self, command: Command) -> Result<(), Box<Command>> {
        self.commands.send(command).await.map_err(|error| Box::new(error.0))
    }

    /// Asks for something with an answer.
    pub(crate) async fn ask<T>(
        &self,
        make: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Option<T> {
        let (done, answer) = oneshot::channel();
        self.commands.send(make(done)).await.ok()?;
        answer.await.ok()
    }

    /// A way for the session to tell itself something.
    fn weak(&self) -> mpsc::WeakSender<Command> {
        self.commands.downgrade()
    }
}

/// What a session needs of its host.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// Children that are waited for.
    pub(crate) children: Arc<Children>,
}

/// The answer to what a session that is gone cannot do.
pub(crate) fn gone(session: SessionId) -> ErrorBody {
    ErrorBody::new(ErrorCode::NotFound, format!("there is no session {session} on this host"))
}
