//! The core's end: one connection to a host, shared by all that need it.
//!
//! Every call has a deadline, and a broken connection resolves all of them. What a session says
//! comes through its own channel in the order in which the host said it; the answer to a join
//! stands in that order too.

mod event;
mod routes;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use wire::browser::Scope;
use wire::host::{Hello, InputHead, Mark, Reply, Request, RequestFrame, SessionFacts};
use wire::limits::LINK_FRAME_MAX_BYTES;
use wire::{Seq, SessionId};

pub use event::SessionEvent;

use self::routes::{Parts, Pending, Routes};
use crate::frame::FrameReader;
use crate::handshake::{self, ConnectOptions};
use crate::{CallError, Frame, LinkError, Outbox, conn};

pub use crate::handshake::HelloReply;

/// Events that wait for a session's hub. The hub drains them and awaits nothing slow.
const EVENTS: usize = 1024;
/// A hub that drains nothing for this long is broken: its channel is closed and its session
/// detached, so that the other sessions of the link go on.
const STUCK_HUB: Duration = Duration::from_secs(5);
/// Bytes of input that may wait for the socket before more is refused as `busy`.
const INPUT_WAITING_BYTES: usize = 2 * 1024 * 1024;
/// Lane of input in the outbox; requests are urgent.
const INPUT_LANE: u32 = 0;

/// One connection to a host. A cheap clone; the last one to go closes it.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    outbox: Outbox,
    routes: Arc<Mutex<Routes>>,
    reader: AbortHandle,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.outbox.close();
        self.reader.abort();
        close(&self.routes);
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("closed", &self.is_closed()).finish_non_exhaustive()
    }
}

/// The start of an attach.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    /// Where the output that follows begins.
    pub from: Seq,
    /// The session as it stands there.
    pub facts: SessionFacts,
}

/// What a read brought, beside its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadHead {
    /// Where the bytes begin: later than asked for when there is a gap.
    pub from: Seq,
    /// Where they end.
    pub to: Seq,
    /// When the first of them was printed, in milliseconds since 1970.
    pub at_ms: u64,
    /// Marks up to `to`.
    pub marks: Vec<Mark>,
}

impl Client {
    /// Connects to the host that listens at `path`. The hello, with its secret, is sent only when
    /// the kernel says that the host runs as an allowed user.
    ///
    /// # Errors
    ///
    /// Whatever stands in the way, [`LinkError::Timeout`] at the latest after `options.timeout`.
    pub async fn connect(
        path: &Path,
        hello: Hello,
        options: &ConnectOptions,
    ) -> Result<(Self, HelloReply), LinkError> {
        let connecting = async {
            let stream = UnixStream::connect(path).await?;
            handshake::check_peer(stream.peer_cred()?.uid(), &options.allowed_uids)?;
            Self::over(stream, hello).await
        };
        tokio::time::timeout(options.timeout, connecting)
            .await
            .map_err(|_elapsed| LinkError::Timeout)?
    }

    /// The same over any stream whose peer is known to be allowed.
    ///
    /// # Errors
    ///
    /// As [`Client::connect`], without a deadline.
    pub async fn over<S>(stream: S, hello: Hello) -> Result<(Self, HelloReply), LinkError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (read, mut write) = tokio::io::split(stream);
        let mut reader = FrameReader::new(read);
        let answer = handshake::greet(&mut reader, &mut write, hello).await?;
        let outbox = Outbox::default();
        let routes = Arc::new(Mutex::new(Routes::default()));
        tokio::spawn(conn::write_all(outbox.clone(), write));
        let reader = tokio::spawn(read_all(reader, Arc::clone(&routes), outbox.clone()));
        let inner = Inner { outbox, routes, reader: reader.abort_handle() };
        Ok((Self { inner: Arc::new(inner) }, answer))
    }

    /// Asks and waits for the answer, at most for the request's own deadline.
    ///
    /// # Errors
    ///
    /// [`CallError`].
    pub async fn request(&self, request: Request) -> Result<Reply, CallError> {
        let deadline = deadline(&request);
        let (done, answer) = oneshot::channel();
        let id = self.ask(Pending::Call(done), request)?;
        self.answer(id, deadline, answer).await
    }

    /// Says what is not answered: `took`, `durable`, `hold`.
    ///
    /// # Errors
    ///
    /// [`CallError::Closed`].
    pub fn send(&self, request: Request) -> Result<(), CallError> {
        let id = self.routes().next_id();
        self.urgent(&Frame::request(&RequestFrame { id, request }))
    }

    /// Hands input to the connection. What becomes of it comes as [`SessionEvent::InputAck`] or
    /// [`SessionEvent::Refused`].
    ///
    /// # Errors
    ///
    /// [`CallError::Refused`] with `busy` when too much waits: nothing of it was taken.
    pub fn input(&self, head: &InputHead, bytes: &Bytes) -> Result<(), CallError> {
        if self.inner.outbox.lane_bytes(INPUT_LANE) > INPUT_WAITING_BYTES {
            return Err(CallError::busy());
        }
        let id = self.routes().next_id();
        let frame = Frame::input(id, head, bytes);
        self.inner.outbox.push(INPUT_LANE, frame).map_err(|_closed| CallError::Closed)
    }

    /// Follows a session from an offset and a mark on. A second attach ends the first.
    ///
    /// # Errors
    ///
    /// [`CallError`].
    pub async fn attach(
        &self,
        session: SessionId,
        after_seq: Seq,
        after_mark: u64,
    ) -> Result<(Attached, mpsc::Receiver<SessionEvent>), CallError> {
        let request = Request::Attach { session, after_seq, after_mark };
        let deadline = deadline(&request);
        let (events, receiver) = mpsc::channel(EVENTS);
        let (done, answer) = oneshot::channel();
        let id = self.ask(Pending::Attach { session, events, done }, request)?;
        let attached = self.answer(id, deadline, answer).await?;
        Ok((attached, receiver))
    }

    /// Stops following a session.
    ///
    /// # Errors
    ///
    /// [`CallError`].
    pub async fn detach(&self, session: SessionId) -> Result<(), CallError> {
        self.routes().detach(session);
        self.request(Request::Detach { session }).await.map(drop)
    }

    /// Asks for a screen. It comes through the session's channel, in order with its output, as
    /// [`SessionEvent::Join`], or [`SessionEvent::JoinFailed`] at the latest after the deadline.
    ///
    /// # Errors
    ///
    /// [`CallError`] when it cannot even be asked for.
    pub fn join(&self, session: SessionId, scope: Scope) -> Result<(), CallError> {
        let request = Request::Join { session, scope };
        let deadline = deadline(&request);
        let id = self.ask(Pending::Join { session, parts: Parts::new() }, request)?;
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            tokio::time::sleep(deadline).await;
            let Some(inner) = inner.upgrade() else { return };
            let late = lock(&inner.routes).give_up(id);
            if let Some((_, events, event)) = late {
                // A hub that has gone waits for nothing.
                drop(events.send(event).await);
            }
        });
        Ok(())
    }

    /// Reads recorded output of a session, with the marks of its span.
    ///
    /// # Errors
    ///
    /// [`CallError`].
    pub async fn read(
        &self,
        session: SessionId,
        from: Seq,
        after_mark: u64,
        max_bytes: u32,
    ) -> Result<(ReadHead, Bytes), CallError> {
        let request = Request::Read { session, from, after_mark, max_bytes };
        let deadline = deadline(&request);
        let (done, answer) = oneshot::channel();
        let id = self.ask(Pending::Read { parts: Parts::new(), done }, request)?;
        self.answer(id, deadline, answer).await
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.inner.outbox.is_closed()
    }

    /// Waits until the connection has ended.
    pub async fn closed(&self) {
        self.inner.outbox.closed().await;
    }

    fn ask(&self, pending: Pending, request: Request) -> Result<u32, CallError> {
        let id = self.routes().expect(pending)?;
        let sent = self.urgent(&Frame::request(&RequestFrame { id, request }));
        if sent.is_err() {
            self.routes().give_up(id);
        }
        sent.map(|()| id)
    }

    async fn answer<T>(
        &self,
        id: u32,
        deadline: Duration,
        answer: oneshot::Receiver<Result<T, CallError>>,
    ) -> Result<T, CallError> {
        match tokio::time::timeout(deadline, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_dropped)) => Err(CallError::Closed),
            Err(_elapsed) => {
                self.routes().give_up(id);
                Err(CallError::Timeout)
            }
        }
    }

    fn urgent(&self, frame: &Frame) -> Result<(), CallError> {
        self.inner.outbox.urgent(frame.clone()).map_err(|_closed| CallError::Closed)
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        lock(&self.inner.routes)
    }
}

/// How long a host may take to answer.
fn deadline(request: &Request) -> Duration {
    // The first spawn may wait for the login shell, and an end takes HUP, TERM and KILL.
    let slow = matches!(request, Request::Spawn(_) | Request::Terminate { .. });
    Duration::from_secs(if slow { 15 } else { 10 })
}

fn lock(routes: &Mutex<Routes>) -> MutexGuard<'_, Routes> {
    routes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails all calls and tells all hubs.
fn close(routes: &Mutex<Routes>) {
    for events in lock(routes).close() {
        // A full channel says it by ending.
        drop(events.try_send(SessionEvent::Closed));
    }
}

/// Reads until the connection ends.
async fn read_all<S: AsyncRead>(
    mut reader: FrameReader<ReadHalf<S>>,
    routes: Arc<Mutex<Routes>>,
    outbox: Outbox,
) {
    let ended = loop {
        let frame = tokio::select! {
            frame = reader.next(LINK_FRAME_MAX_BYTES) => frame,
            () = outbox.closed() => break Ok(()),
        };
        let (kind, payload) = match frame {
            Ok(Some(frame)) => frame,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let delivery = match lock(&routes).on_frame(kind, &payload) {
            Ok(delivery) => delivery,
            Err(error) => break Err(error),
        };
        let Some((session, events, event)) = delivery else { continue };
        if events.send_timeout(event, STUCK_HUB).await.is_err() {
            tracing::debug!(%session, "nobody follows this session any more");
            let mut routes = lock(&routes);
            routes.detach(session);
            let request = Request::Detach { session };
            let frame = Frame::request(&RequestFrame { id: routes.next_id(), request });
            if outbox.urgent(frame).is_err() {
                break Ok(());
            }
        }
    };
    if let Err(error) = ended {
        tracing::warn!(%error, "the link to the pane host broke");
    }
    outbox.close();
    close(&routes);
}
