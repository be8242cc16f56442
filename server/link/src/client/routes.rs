//! Who waits for what on one connection. No I/O: frames come in, and what is to be told to whom
//! comes out.

use std::collections::HashMap;

use bytes::{Bytes, BytesMut};
use tokio::sync::{mpsc, oneshot};
use wire::frame::{BulkHead, LinkKind, OutputHead};
use wire::host::{HostFrame, JoinHead, Reply};
use wire::limits::MESSAGE_MAX_BYTES;
use wire::{ErrorBody, ErrorCode, SessionId};

use super::{Attached, ReadHead, SessionEvent};
use crate::handshake::{HELLO_ID, parse};
use crate::{CallError, LinkError};

/// A call that waits for its answer.
pub(super) enum Pending {
    /// Any request that one reply answers.
    Call(oneshot::Sender<Result<Reply, CallError>>),
    /// An attach: its reply makes the session's channel live.
    Attach {
        session: SessionId,
        events: mpsc::Sender<SessionEvent>,
        done: oneshot::Sender<Result<Attached, CallError>>,
    },
    /// A join: its answer goes into the session's channel.
    Join { session: SessionId, parts: Parts<JoinHead> },
    /// A read.
    Read { parts: Parts<ReadHead>, done: oneshot::Sender<Result<(ReadHead, Bytes), CallError>> },
}

/// A reply that comes as a head and parts.
pub(super) struct Parts<H> {
    head: Option<H>,
    bytes: BytesMut,
}

impl<H> Parts<H> {
    pub(super) fn new() -> Self {
        Self { head: None, bytes: BytesMut::new() }
    }

    /// Takes a part; true when it was the last.
    fn take(&mut self, last: bool, part: &[u8]) -> Result<bool, LinkError> {
        self.bytes.extend_from_slice(part);
        let most = usize::try_from(MESSAGE_MAX_BYTES).unwrap_or(usize::MAX);
        if self.head.is_none() || self.bytes.len() > most {
            return Err(LinkError::Unexpected("parts of no reply".to_owned()));
        }
        Ok(last)
    }
}

/// Something to tell a session's hub.
pub(super) type Delivery = (SessionId, mpsc::Sender<SessionEvent>, SessionEvent);

/// The table of one connection.
#[derive(Default)]
pub(super) struct Routes {
    /// The last id given out.
    last_id: u32,
    pending: HashMap<u32, Pending>,
    sessions: HashMap<SessionId, (u32, mpsc::Sender<SessionEvent>)>,
    handles: HashMap<u32, SessionId>,
    closed: bool,
}

impl Routes {
    /// The id of a request that nobody waits for.
    pub(super) fn next_id(&mut self) -> u32 {
        self.last_id = self.last_id.max(HELLO_ID).checked_add(1).unwrap_or(HELLO_ID + 1);
        self.last_id
    }

    /// Waits for the answer to a request with the id that is returned.
    pub(super) fn expect(&mut self, pending: Pending) -> Result<u32, CallError> {
        if self.closed {
            return Err(CallError::Closed);
        }
        let id = self.next_id();
        self.pending.insert(id, pending);
        Ok(id)
    }

    /// Nobody waits any more. A join is told as failed.
    pub(super) fn give_up(&mut self, id: u32) -> Option<Delivery> {
        match self.pending.remove(&id)? {
            Pending::Join { session, .. } => {
                let error = ErrorBody::new(ErrorCode::Timeout, "the pane host did not answer");
                self.deliver(session, SessionEvent::JoinFailed(error))
            }
            Pending::Call(_) | Pending::Attach { .. } | Pending::Read { .. } => None,
        }
    }

    /// Ends a session's channel; true when it was attached.
    pub(super) fn detach(&mut self, session: SessionId) -> bool {
        let Some((handle, _)) = self.sessions.remove(&session) else { return false };
        self.handles.remove(&handle);
        true
    }

    /// The connection has ended: all calls fail, all channels are returned.
    pub(super) fn close(&mut self) -> Vec<mpsc::Sender<SessionEvent>> {
        self.closed = true;
        for (_, pending) in self.pending.drain() {
            match pending {
                Pending::Call(done) => drop(done.send(Err(CallError::Closed))),
                Pending::Attach { done, .. } => drop(done.send(Err(CallError::Closed))),
                Pending::Read { done, .. } => drop(done.send(Err(CallError::Closed))),
                Pending::Join { .. } => {}
            }
        }
        self.handles.clear();
        self.sessions.drain().map(|(_, (_, events))| events).collect()
    }

    /// Takes one frame of the host.
    pub(super) fn on_frame(
        &mut self,
        kind: LinkKind,
        payload: &Bytes,
    ) -> Result<Option<Delivery>, LinkError> {
        match kind {
            LinkKind::Output => {
                let (head, bytes) = OutputHead::split(payload)?;
                // A handle of an attach that has ended since: what is on the way is of no use.
                let Some(&session) = self.handles.get(&head.handle) else { return Ok(None) };
                let bytes = payload.slice_ref(bytes);
                let event = SessionEvent::Output { end: head.end, at_ms: head.at_ms, bytes };
                Ok(self.deliver(session, event))
            }
            LinkKind::Bulk => {
                let (head, part) = BulkHead::split(payload)?;
                self.on_part(head, part)
            }
            LinkKind::Control => match parse(payload)? {
                HostFrame::Event { event } => Ok(SessionEvent::from_wire(event)
                    .and_then(|(session, event)| self.deliver(session, event))),
                HostFrame::Reply { id, reply } => Ok(self.on_reply(id, reply)),
            },
            LinkKind::Input => Err(LinkError::Unexpected("input from a host".to_owned())),
        }
    }

    fn on_reply(&mut self, id: u32, reply: Result<Reply, ErrorBody>) -> Option<Delivery> {
        // An answer after its deadline, or to what nobody waits for.
        let pending = self.pending.remove(&id)?;
        match (pending, reply) {
            (Pending::Call(done), reply) => {
                drop(done.send(reply.map_err(CallError::Refused)));
                None
            }
            (Pending::Attach { session, events, done }, reply) => {
                drop(done.send(self.attached(session, events, reply)));
                None
            }
            (Pending::Join { session, mut parts }, Ok(Reply::Join(head))) => {
                parts.head = Some(head);
                self.pending.insert(id, Pending::Join { session, parts });
                None
            }
            (Pending::Join { session, .. }, reply) => {
                let error = reply.err().unwrap_or_else(|| {
                    ErrorBody::new(ErrorCode::Internal, "the pane host did not answer the join")
                });
                self.deliver(session, SessionEvent::JoinFailed(error))
            }
            (Pending::Read { mut parts, done }, Ok(Reply::Read { from, to, at_ms, marks })) => {
                parts.head = Some(ReadHead { from, to, at_ms, marks });
                self.pending.insert(id, Pending::Read { parts, done });
                None
            }
            (Pending::Read { done, .. }, reply) => {
                let error = reply.err().map_or_else(CallError::unexpected, CallError::Refused);
                drop(done.send(Err(error)));
                None
            }
        }
    }

    fn attached(
        &mut self,
        session: SessionId,
        events: mpsc::Sender<SessionEvent>,
        reply: Result<Reply, ErrorBody>,
    ) -> Result<Attached, CallError> {
        match reply {
            Ok(Reply::Attached { handle, from, session: facts }) => {
                self.detach(session);
                self.sessions.insert(session, (handle, events));
                self.handles.insert(handle, session);
                Ok(Attached { from, facts: *facts })
            }
            Ok(_) => Err(CallError::unexpected()),
            Err(error) => Err(CallError::Refused(error)),
        }
    }

    fn on_part(&mut self, bulk: BulkHead, part: &[u8]) -> Result<Option<Delivery>, LinkError> {
        let done = match self.pending.get_mut(&bulk.request) {
            Some(Pending::Join { parts, .. }) => parts.take(bulk.last, part)?,
            Some(Pending::Read { parts, .. }) => parts.take(bulk.last, part)?,
            Some(Pending::Call(_) | Pending::Attach { .. }) | None => false,
        };
        if !done {
            return Ok(None);
        }
        match self.pending.remove(&bulk.request) {
            Some(Pending::Join { session, parts: Parts { head: Some(head), bytes } }) => {
                Ok(self.deliver(session, SessionEvent::Join { head, bytes: bytes.freeze() }))
            }
            Some(Pending::Read { parts: Parts { head: Some(head), bytes }, done }) => {
                drop(done.send(Ok((head, bytes.freeze()))));
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn deliver(&self, session: SessionId, event: SessionEvent) -> Option<Delivery> {
        let (_, events) = self.sessions.get(&session)?;
        Some((session, events.clone(), event))
    }
}
