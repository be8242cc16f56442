//! Where a recorder's output comes from: the hub's tail while it reaches back far enough, else
//! the host.
//!
//! Marks come beside the tail, from the hub, in order. A mark stands before the output that was
//! pushed after it, so the tail is looked at first and the marks then: what is fed never runs
//! past a mark that stands in it. Marks that were missed, here or on the way, come again with the
//! host's answers.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bytes::Bytes;
use link::ReadHead;
use tokio::sync::{mpsc, watch};
use wire::Seq;
use wire::host::{Mark, MarkKind};

use super::gather::Gather;
use crate::hub::tail::Tail;

/// Fed in one turn; the recorder's task lets others run in between.
const TURN_BYTES: usize = 64 * 1024;

/// Marks on their way from the hub. Past it they are dropped here and read from the host.
pub(super) const MARKS: usize = 1024;

/// What there is to feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Something was fed; there may be more.
    Fed,
    /// Nothing until the tail moves.
    Nothing,
    /// The tail or the marks do not reach back: ask the host.
    Pull,
}

/// A session's output and marks as they come in.
#[derive(Debug)]
pub(super) struct Intake {
    tail: Tail,
    end: watch::Receiver<Seq>,
    marks: mpsc::Receiver<Mark>,
    /// The hub could not hand a mark over.
    lost: Arc<AtomicBool>,
    /// Not fed yet, in order.
    coming: VecDeque<Mark>,
    /// Marks were lost: the host is asked until an answer reaches its end.
    missing: bool,
    /// The hub has let go.
    closed: bool,
}

impl Intake {
    pub(super) fn new(tail: Tail, marks: mpsc::Receiver<Mark>, lost: Arc<AtomicBool>) -> Self {
        let end = tail.watch();
        Self { tail, end, marks, lost, coming: VecDeque::new(), missing: false, closed: false }
    }

    /// Whether the hub has let go: nothing comes but what the tail holds.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Feeds what the tail has, one turn of it.
    pub(super) fn feed(&mut self, gather: &mut Gather, now: Instant) -> Next {
        self.end.mark_unchanged();
        let chunks = self.tail.since(gather.fed(), TURN_BYTES);
        self.hear();
        self.missing |= self.lost.swap(false, Ordering::Relaxed);
        let Ok(chunks) = chunks else { return Next::Pull };
        let before = (gather.fed(), gather.mark());
        let mut whole = !self.missing && feed_marks(gather, &mut self.coming, Numbers::Count, now);
        for chunk in chunks {
            whole = whole && {
                let stretch = Stretch { end: chunk.end, at_ms: chunk.at_ms, bytes: &chunk.bytes };
                feed(gather, &mut self.coming, stretch, Numbers::Count, now)
            };
        }
        if !whole {
            self.missing = true;
            return Next::Pull;
        }
        if before == (gather.fed(), gather.mark()) { Next::Nothing } else { Next::Fed }
    }

    /// Feeds what the host answered to a read of `asked` bytes from `gather.fed()` on.
    pub(super) fn on_read(
        &mut self,
        gather: &mut Gather,
        head: ReadHead,
        bytes: &Bytes,
        asked: u32,
        now: Instant,
    ) {
        let mut marks = VecDeque::from(head.marks);
        feed_marks(gather, &mut marks, Numbers::MayJump, now);
        if head.from > gather.fed() {
            let why = why(marks.iter().chain(&self.coming), gather.fed(), head.from);
            gather.on_gap(head.from, why, i64::try_from(head.at_ms).unwrap_or(i64::MAX), now);
            feed_marks(gather, &mut marks, Numbers::MayJump, now);
        }
        let stretch = Stretch { end: head.to, at_ms: head.at_ms, bytes };
        feed(gather, &mut marks, stretch, Numbers::MayJump, now);
        if bytes.len() < usize::try_from(asked).unwrap_or(usize::MAX) {
            // The host's end: it has told every mark there is.
            self.missing = false;
        }
    }

    /// Waits for a mark, for the hub to let go, or, if `output` is wanted, for the tail to move.
    /// Not to be called once the hub has let go.
    pub(super) async fn changed(&mut self, output: bool) {
        tokio::select! {
            mark = self.marks.recv() => match mark {
                Some(mark) => self.keep(mark),
                None => self.closed = true,
            },
            // The tail lives as long as we do, so its end never closes.
            _moved = self.end.changed(), if output => {}
        }
    }

    /// Takes the marks that wait.
    fn hear(&mut self) {
        loop {
            match self.marks.try_recv() {
                Ok(mark) => self.keep(mark),
                Err(mpsc::error::TryRecvError::Empty) => return,
                Err(mpsc::error::TryRecvError::Disconnected) => {
                    self.closed = true;
                    return;
                }
            }
        }
    }

    fn keep(&mut self, mark: Mark) {
        if self.coming.len() < MARKS {
            self.coming.push_back(mark);
        } else {
            self.missing = true;
        }
    }
}

/// A stretch of output.
#[derive(Clone, Copy, Debug)]
struct Stretch<'a> {
    end: Seq,
    at_ms: u64,
    bytes: &'a [u8],
}

/// What a jump in the marks' numbers means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    /// One was missed.
    Count,
    /// The host has no such mark.
    MayJump,
}

/// Feeds a stretch that begins at or before `gather.fed()`, and the marks in it where they stand.
/// False: a mark is missing; nothing after it was fed.
fn feed(
    gather: &mut Gather,
    marks: &mut VecDeque<Mark>,
    stretch: Stretch<'_>,
    numbers: Numbers,
    now: Instant,
) -> bool {
    let Stretch { end, at_ms, mut bytes } = stretch;
    let mut from = end.back(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    debug_assert!(from <= gather.fed() || bytes.is_empty(), "a hole before what is fed");
    loop {
        if !feed_marks(gather, marks, numbers, now) {
            return false;
        }
        let fed = gather.fed();
        if fed >= end || gather.exit().is_some() {
            return true;
        }
        let until = marks.front().map_or(end, |mark| mark.seq.min(end));
        let known = usize::try_from(fed.bytes_since(from)).unwrap_or(usize::MAX);
        let fresh = usize::try_from(until.bytes_since(fed)).unwrap_or(usize::MAX);
        let Some((head, rest)) = bytes.get(known..).and_then(|bytes| bytes.split_at_checked(fresh))
        else {
            return true;
        };
        gather.on_output(at_ms, head, now);
        (from, bytes) = (gather.fed(), rest);
    }
}

/// Feeds the marks that stand where the output fed so far ends.
fn feed_marks(
    gather: &mut Gather,
    marks: &mut VecDeque<Mark>,
    numbers: Numbers,
    now: Instant,
) -> bool {
    while let Some(mark) = marks.pop_front() {
        if mark.n <= gather.mark() {
            continue;
        }
        let jumps = mark.n > gather.mark() + 1 && numbers == Numbers::Count;
        if jumps || mark.seq > gather.fed() {
            marks.push_front(mark);
            return !jumps;
        }
        gather.on_mark(mark, now);
    }
    true
}

/// Why the host no longer has `fed..to`, if a mark of its own says so. The mark stands where the
/// session was when the gap ended, which may be far behind.
fn why<'a>(marks: impl Iterator<Item = &'a Mark>, fed: Seq, to: Seq) -> String {
    let said = marks.filter_map(|mark| match &mark.kind {
        MarkKind::Gap { from, to: end, why } if *from < to && *end > fed => Some(why.clone()),
        MarkKind::Gap { .. }
        | MarkKind::Start { .. }
        | MarkKind::Resize { .. }
        | MarkKind::Exit { .. } => None,
    });
    said.last().unwrap_or_else(|| "the pane host no longer had it".to_owned())
}
