//! What people and agents type, on its way into the terminal.
//!
//! A message is taken whole or refused whole, applied once, and written contiguously: nothing
//! enters a paste's bracket. When its holder changes or interrupts, what is not yet written is
//! dropped and every message concerned is refused by name. Marks are never torn: one that is
//! half written is finished, and an open bracket is closed.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use bytes::Bytes;
use pane::inputs::{Inputs, Verdict};
use pane::lease::Lease;
use pane::paste::{Bracket, CLOSE, OPEN};
use wire::browser::Paste;
use wire::host::{By, HostEvent, InputHead};
use wire::{ErrorCode, SessionId, limits};

/// Most bytes of answers that wait for the program to read them.
const ANSWERS_BYTES: usize = 64 * 1024;

/// Input of one session.
#[derive(Debug)]
pub(crate) struct Queue {
    session: SessionId,
    inputs: Inputs,
    bracket: Bracket,
    items: VecDeque<Item>,
    /// Unwritten bytes of `items` and `pieces`.
    waiting_bytes: usize,
    /// What is being written, in order.
    pieces: VecDeque<Piece>,
    /// Whose message `pieces` are; none for bytes of ours.
    current: Option<Item>,
    /// What the program has asked of its terminal, answered. Waits behind an open bracket.
    answers: VecDeque<Bytes>,
    answers_bytes: usize,
}

/// A message that was taken.
#[derive(Clone, Debug)]
struct Item {
    by: By,
    paste: Option<Paste>,
    run: u32,
    id: Option<u64>,
    bytes: Bytes,
}

/// Part of what is written for a message.
#[derive(Clone, Debug)]
struct Piece {
    kind: Kind,
    bytes: Bytes,
    /// How much of it is written.
    done: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The message's own bytes.
    Data,
    Open,
    /// The end of a bracket, or a byte of ours.
    Ours,
}

impl Queue {
    /// An empty one.
    pub(crate) fn new(session: SessionId) -> Self {
        Self {
            session,
            inputs: Inputs::new(),
            bracket: Bracket::default(),
            items: VecDeque::new(),
            waiting_bytes: 0,
            pieces: VecDeque::new(),
            current: None,
            answers: VecDeque::new(),
            answers_bytes: 0,
        }
    }

    /// An answer to the program. One that asks and never reads gets no more past
    /// [`ANSWERS_BYTES`].
    pub(crate) fn answer(&mut self, answer: Vec<u8>) {
        if self.answers_bytes + answer.len() <= ANSWERS_BYTES {
            self.answers_bytes += answer.len();
            self.answers.push_back(answer.into());
        }
    }

    /// Whether something waits to be written.
    pub(crate) fn is_waiting(&self) -> bool {
        let answers = !self.answers.is_empty() && !self.bracket.is_open();
        answers || !self.pieces.is_empty() || !self.items.is_empty()
    }

    /// Takes a message, or says at once what becomes of it.
    pub(crate) fn offer(
        &mut self,
        lease: &mut Lease,
        head: InputHead,
        bytes: Bytes,
        now: Instant,
    ) -> Option<HostEvent> {
        let InputHead { session: _, by, paste, epoch, run, id } = head;
        match self.inputs.on_input(&by, run, id, now) {
            Verdict::Judge => {}
            Verdict::Taken(None) => return None,
            Verdict::Taken(Some(id)) => {
                return Some(HostEvent::InputAck { session: self.session, viewer: by.viewer, id });
            }
            Verdict::Dropped => return Some(self.refused(&by, id, ErrorCode::Dropped, None)),
            Verdict::AfterRefused => {
                return Some(self.refused(&by, id, ErrorCode::AfterRefused, None));
            }
        }
        let judged = match lease.admit(&by, epoch, now) {
            Err(refusal) => Err((refusal.code(), refusal.holder().map(str::to_owned))),
            Ok(()) if self.waiting_bytes >= full() => Err((ErrorCode::Busy, None)),
            Ok(()) => Ok(()),
        };
        if let Err((code, holder)) = judged {
            self.inputs.on_refused(&by, run, id, now);
            return Some(self.refused(&by, id, code, holder));
        }
        self.inputs.on_taken(&by, id, now);
        self.waiting_bytes += bytes.len();
        self.items.push_back(Item { by, paste, run, id, bytes });
        None
    }

    /// Refuses a message of a program that has ended.
    pub(crate) fn refuse_ended(&mut self, head: &InputHead, now: Instant) -> HostEvent {
        self.inputs.on_refused(&head.by, head.run, head.id, now);
        self.refused(&head.by, head.id, ErrorCode::Exited, None)
    }

    /// Writes what `write` takes; `wanted` is whether the program wants pastes marked. Tells what
    /// became of messages.
    pub(crate) fn write(
        &mut self,
        wanted: bool,
        now: Instant,
        mut write: impl FnMut(&[u8]) -> io::Result<usize>,
    ) -> Vec<HostEvent> {
        let mut events = Vec::new();
        while self.next_pieces(wanted, now, &mut events) {
            let Some(piece) = self.pieces.front_mut() else { continue };
            let rest = piece.bytes.get(piece.done..).unwrap_or_default();
            match write(rest) {
                Ok(written) => {
                    piece.done += written;
                    if piece.kind == Kind::Data {
                        self.waiting_bytes -= written;
                    }
                    if piece.done == piece.bytes.len() {
                        self.pieces.pop_front();
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // WouldBlock: later. Anything else: the terminal is gone, and so is the session.
                Err(_) => break,
            }
        }
        events
    }

    /// Makes sure there are pieces to write; false when there is nothing.
    fn next_pieces(&mut self, wanted: bool, now: Instant, events: &mut Vec<HostEvent>) -> bool {
        while self.pieces.is_empty() {
            if let Some(item) = self.current.take() {
                events.extend(self.written(&item));
            }
            if !self.answers.is_empty() && !self.bracket.is_open() {
                self.answers_bytes = 0;
                let answers = self.answers.drain(..);
                self.pieces.extend(answers.map(|answer| Piece::new(Kind::Ours, answer)));
                break;
            }
            let Some(item) = self.items.pop_front() else { return false };
            let Ok(marks) = self.bracket.on_part(item.paste, wanted) else {
                self.waiting_bytes -= item.bytes.len();
                self.inputs.on_refused(&item.by, item.run, item.id, now);
                events.push(self.refused(&item.by, item.id, ErrorCode::Dropped, None));
                continue;
            };
            let ours =
                |on: bool, kind, mark| on.then(|| Piece::new(kind, Bytes::from_static(mark)));
            let data = Some(Piece::new(Kind::Data, item.bytes.clone()));
            let pieces = [
                ours(marks.close_first, Kind::Ours, CLOSE),
                ours(marks.open, Kind::Open, OPEN),
                data.filter(|piece| !piece.bytes.is_empty()),
                ours(marks.close, Kind::Ours, CLOSE),
            ];
            self.pieces.extend(pieces.into_iter().flatten());
            self.current = Some(item);
        }
        true
    }

    fn written(&mut self, item: &Item) -> Option<HostEvent> {
        let By { caller, viewer, .. } = item.by;
        let id = self.inputs.on_written(caller, viewer, item.id?)?;
        Some(HostEvent::InputAck { session: self.session, viewer, id })
    }

    /// Drops everything that is not `holder`'s, who alone types from now on.
    pub(crate) fn keep_only(&mut self, holder: Option<&By>, now: Instant) -> Vec<HostEvent> {
        let keeps = |item: &Item| {
            holder.is_some_and(|by| by.caller == item.by.caller && by.viewer == item.by.viewer)
        };
        let mut dropped = Vec::new();
        if self.current.as_ref().is_some_and(|item| !keeps(item)) {
            self.cut_short();
            dropped.extend(self.current.take());
        } else if self.current.is_none() && self.pieces.is_empty() {
            // Between two parts of a paste.
            self.close_bracket();
        }
        let (kept, gone): (VecDeque<Item>, VecDeque<Item>) =
            std::mem::take(&mut self.items).into_iter().partition(keeps);
        self.items = kept;
        dropped.extend(gone);
        self.recount();
        self.tell_dropped(&dropped, now)
    }

    /// Drops everything unwritten and closes an open bracket. `byte` comes next, if it is asked
    /// for.
    pub(crate) fn interrupt(&mut self, byte: Option<u8>, now: Instant) -> Vec<HostEvent> {
        let events = self.keep_only(None, now);
        self.close_bracket();
        if let Some(byte) = byte {
            self.pieces.push_back(Piece::new(Kind::Ours, Bytes::copy_from_slice(&[byte])));
        }
        events
    }

    /// Takes the unwritten rest of the current message out of what is written.
    fn cut_short(&mut self) {
        let untouched_open =
            self.pieces.iter().position(|piece| piece.kind == Kind::Open && piece.done == 0);
        if let Some(at) = untouched_open {
            self.pieces.truncate(at);
            // The program was never told that it began.
            let _unmarked = self.bracket.end();
            return;
        }
        self.pieces.retain(|piece| piece.kind != Kind::Data);
        self.close_bracket();
    }

    fn close_bracket(&mut self) {
        if self.bracket.end() {
            self.pieces.push_back(Piece::new(Kind::Ours, Bytes::from_static(CLOSE)));
        }
    }

    fn recount(&mut self) {
        let data = self.pieces.iter().filter(|piece| piece.kind == Kind::Data);
        let current: usize = data.map(|piece| piece.bytes.len() - piece.done).sum();
        self.waiting_bytes =
            current + self.items.iter().map(|item| item.bytes.len()).sum::<usize>();
    }

    fn tell_dropped(&mut self, dropped: &[Item], now: Instant) -> Vec<HostEvent> {
        let tell = |item: &Item| {
            self.inputs.on_refused(&item.by, item.run, item.id, now);
            self.refused(&item.by, item.id, ErrorCode::Dropped, None)
        };
        dropped.iter().map(tell).collect()
    }

    fn refused(
        &self,
        by: &By,
        id: Option<u64>,
        code: ErrorCode,
        holder: Option<String>,
    ) -> HostEvent {
        HostEvent::Refused { session: self.session, viewer: by.viewer, id, code, holder }
    }

    /// A viewer's last socket is gone.
    pub(crate) fn on_gone(&mut self, by: &By, now: Instant) {
        self.inputs.on_gone(by, now);
    }

    /// A viewer is back.
    pub(crate) fn on_back(&mut self, by: &By, now: Instant) {
        self.inputs.on_back(by, now);
    }

    /// When [`Queue::on_time`] has something to do.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.inputs.deadline()
    }

    /// Forgets viewers that are gone for good.
    pub(crate) fn on_time(&mut self, now: Instant) {
        self.inputs.on_time(now);
    }
}

impl Piece {
    fn new(kind: Kind, bytes: Bytes) -> Self {
        Self { kind, bytes, done: 0 }
    }
}

/// What the queue holds when it takes no more.
fn full() -> usize {
    usize::try_from(limits::INPUT_QUEUE_BYTES).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
