//! The recent output of one session, shared by its viewers and its recorder.
//!
//! Output is cut here, once for everybody, into the frames that viewers are sent: at most 8 KiB,
//! never inside a character. A frame is encoded at most once per encoding, when the first viewer
//! needs it. Whoever follows the tail watches its end, a state, so that no wake-up can be missed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use pane::cut;
use tokio::sync::watch;
use wire::{Seq, Span, limits};

use super::frame::Frame;

/// A stretch of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where it ends.
    pub end: Seq,
    /// When its first byte was read, in milliseconds since 1970.
    pub at_ms: u64,
    /// The bytes.
    pub bytes: Bytes,
}

/// The tail no longer reaches back to what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tail begins at {from}")]
pub struct Behind {
    /// Where it begins now.
    pub from: Seq,
}

/// The recent output of one session. A cheap clone; the hub alone adds to it.
#[derive(Clone, Debug)]
pub struct Tail(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    inner: Mutex<Inner>,
    end: watch::Sender<Seq>,
}

#[derive(Debug)]
struct Inner {
    /// In order, tiling `from..end`.
    frames: VecDeque<Arc<Frame>>,
    from: Seq,
    end: Seq,
    /// What the frames cost together.
    cost_bytes: u64,
    /// A character that has only begun: printed after `end`, not in a frame yet.
    held: Vec<u8>,
    /// When its first byte was read.
    held_at_ms: u64,
}

impl Tail {
    /// An empty tail that begins at `at`.
    pub fn new(at: Seq) -> Self {
        let inner = Inner {
            frames: VecDeque::new(),
            from: at,
            end: at,
            cost_bytes: 0,
            held: Vec::new(),
            held_at_ms: 0,
        };
        Self(Arc::new(Shared { inner: Mutex::new(inner), end: watch::channel(at).0 }))
    }

    /// What it holds.
    pub fn span(&self) -> Span {
        let inner = self.lock();
        Span { from: inner.from, to: inner.end }
    }

    /// Its end, as it moves. It moves also when the tail jumps ahead.
    pub fn watch(&self) -> watch::Receiver<Seq> {
        self.0.end.subscribe()
    }

    /// Up to about `max_bytes` from `from` on, whole frames but the first; at least one frame if
    /// there is any. Empty at the end.
    ///
    /// # Errors
    ///
    /// [`Behind`] when the tail begins later.
    pub fn since(&self, from: Seq, max_bytes: usize) -> Result<Vec<Chunk>, Behind> {
        let inner = self.lock();
        if from < inner.from {
            return Err(Behind { from: inner.from });
        }
        let mut chunks = Vec::new();
        let mut left = max_bytes;
        for frame in inner.frames.iter().skip(inner.index(from)) {
            let bytes = frame.after(from);
            if !chunks.is_empty() && bytes.len() > left {
                break;
            }
            left = left.saturating_sub(bytes.len());
            chunks.push(Chunk { end: frame.end(), at_ms: frame.at_ms(), bytes });
        }
        Ok(chunks)
    }

    /// The frame that holds the byte at `seq`.
    pub fn frame(&self, seq: Seq) -> Option<Arc<Frame>> {
        let inner = self.lock();
        if seq < inner.from {
            return None;
        }
        inner.frames.get(inner.index(seq)).cloned()
    }

    /// End of all output that was taken, with what is held of a character.
    pub(super) fn taken(&self) -> Seq {
        let inner = self.lock();
        inner.end.advance(size(&inner.held))
    }

    /// What is held of a character that has only begun.
    pub(super) fn held(&self) -> Vec<u8> {
        self.lock().held.clone()
    }

    /// Adds output. Its start must be where the last one ended.
    pub(super) fn push(&self, bytes: &[u8], at_ms: u64, now: Instant) {
        let mut inner = self.lock();
        if inner.held.is_empty() {
            inner.cut(bytes, at_ms, now);
        } else {
            let first_at_ms = inner.held_at_ms;
            let mut whole = std::mem::take(&mut inner.held);
            whole.extend_from_slice(bytes);
            inner.cut(&whole, first_at_ms, now);
        }
        self.0.end.send_replace(inner.end);
    }

    /// No more will come: what is held of a character goes out as it is.
    pub(super) fn finish(&self, now: Instant) {
        let mut inner = self.lock();
        let held = std::mem::take(&mut inner.held);
        if !held.is_empty() {
            let at_ms = inner.held_at_ms;
            inner.add(&held, at_ms, now);
        }
        self.0.end.send_replace(inner.end);
    }

    /// Output up to `to` will never come here: the tail begins anew there.
    pub(super) fn skip(&self, to: Seq) {
        let mut inner = self.lock();
        inner.frames.clear();
        inner.held.clear();
        inner.cost_bytes = 0;
        (inner.from, inner.end) = (to, to);
        self.0.end.send_replace(to);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Index of the frame that holds `seq`, or of where it would be.
    fn index(&self, seq: Seq) -> usize {
        self.frames.partition_point(|frame| frame.end() <= seq)
    }

    /// Makes frames of what is decided and holds the rest.
    fn cut(&mut self, bytes: &[u8], at_ms: u64, now: Instant) {
        let (mut ready, held) = bytes.split_at(cut::decided(bytes));
        let most = usize::try_from(limits::OUTPUT_FRAME_MAX_BYTES).unwrap_or(usize::MAX);
        while !ready.is_empty() {
            let (piece, rest) = ready.split_at(cut::piece(ready, most));
            self.add(piece, at_ms, now);
            ready = rest;
        }
        held.clone_into(&mut self.held);
        self.held_at_ms = at_ms;
    }

    fn add(&mut self, bytes: &[u8], at_ms: u64, now: Instant) {
        let frame = Frame::new(self.end, bytes, at_ms, now);
        self.end = frame.end();
        self.cost_bytes += frame.cost_bytes();
        self.frames.push_back(Arc::new(frame));
        while self.cost_bytes > limits::TAIL_BYTES {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.cost_bytes -= oldest.cost_bytes();
            self.from = oldest.end();
        }
    }
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pushed_comes_back_from_any_offset() {
        let tail = Tail::new(Seq(10));
        let now = Instant::now();
        tail.push(b"hello ", 1, now);
        tail.push(b"world", 2, now);
        assert_eq!(tail.span(), Span { from: Seq(10), to: Seq(21) });
        let chunks = tail.since(Seq(12), 100).unwrap();
        assert_eq!(
            chunks,
            [
                Chunk { end: Seq(16), at_ms: 1, bytes: Bytes::from_static(b"llo ") },
                Chunk { end: Seq(21), at_ms: 2, bytes: Bytes::from_static(b"world") },
            ]
        );
        assert_eq!(tail.since(Seq(16), 1).unwrap().len(), 1, "at least one");
        assert_eq!(tail.since(Seq(21), 100), Ok(vec![]));
        assert_eq!(tail.since(Seq(9), 100), Err(Behind { from: Seq(10) }));
    }

    #[test]
    fn a_begun_character_waits_for_its_end_or_the_exit() {
        let tail = Tail::new(Seq::ZERO);
        let now = Instant::now();
        tail.push(b"a\xE2\x82", 1, now);
        assert_eq!((tail.span().to, tail.taken()), (Seq(1), Seq(3)));
        tail.push(b"\xAC!\xF0\x9F", 2, now);
        let chunks = tail.since(Seq(1), 100).unwrap();
        assert_eq!(chunks[0].bytes, "€!".as_bytes());
        assert_eq!(chunks[0].at_ms, 1, "when its first byte came");
        tail.finish(now);
        assert_eq!(tail.since(Seq(5), 100).unwrap()[0].bytes, &b"\xF0\x9F"[..]);
        assert_eq!(tail.taken(), Seq(7));
    }

    #[test]
    fn frames_are_small_and_the_tail_is_bounded_whatever_the_pieces() {
        for piece in [1, 70_000] {
            let tail = Tail::new(Seq::ZERO);
            let now = Instant::now();
            let bytes = vec![b'x'; piece];
            for _ in 0..(3 * 1024 * 1024 / piece).min(100_000) {
                tail.push(&bytes, 0, now);
            }
            let inner = tail.lock();
            assert!(inner.cost_bytes <= limits::TAIL_BYTES);
            let cost: u64 = inner.frames.iter().map(|frame| frame.cost_bytes()).sum();
            assert_eq!(cost, inner.cost_bytes);
            assert!(inner.frames.iter().all(|frame| frame.after(frame.from()).len() <= 8192));
            assert!(inner.from > Seq::ZERO);
        }
    }

    #[tokio::test]
    async fn who_follows_sees_the_end_move_and_jump() {
        let tail = Tail::new(Seq::ZERO);
        let mut end = tail.watch();
        tail.push(b"abc", 0, Instant::now());
        end.changed().await.unwrap();
        assert_eq!(*end.borrow_and_update(), Seq(3));
        tail.skip(Seq(50));
        end.changed().await.unwrap();
        assert_eq!(tail.since(Seq(3), 10), Err(Behind { from: Seq(50) }));
        assert_eq!(tail.span(), Span { from: Seq(50), to: Seq(50) });
    }
}
