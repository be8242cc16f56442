//! What one connection is sent of a session, live.
//!
//! It never holds the terminal: past [`limits::LIVE_AHEAD_BYTES`] that the hub has not taken, what
//! is unsent is dropped and the skip is said. Marks are never skipped.

use std::collections::VecDeque;

use bytes::Bytes;
use link::{Frame, Outbox};
use pane::ring::Ring;
use wire::host::{HostEvent, JoinHead, Mark};
use wire::{Seq, SessionId, Span, limits};

/// Output in one frame, so that the frame is no longer than a link frame should be.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024 - 64;

/// A connection that follows a session.
#[derive(Debug)]
pub(crate) struct Feed {
    /// Which connection.
    pub(crate) conn: u64,
    /// Names the session in its output frames, and its lane in the outbox.
    pub(crate) handle: u32,
    session: SessionId,
    outbox: Outbox,
    /// The end of what was sent or skipped.
    sent: Seq,
    /// What the hub has taken. Never past `sent`.
    took: Seq,
    /// Spans past `took` that were never sent, in order.
    skipped: VecDeque<Span>,
}

impl Feed {
    /// A feed that has sent nothing, from `from` on.
    pub(crate) fn new(
        conn: u64,
        handle: u32,
        session: SessionId,
        outbox: Outbox,
        from: Seq,
    ) -> Self {
        Self { conn, handle, session, outbox, sent: from, took: from, skipped: VecDeque::new() }
    }

    /// Ends it: what is unsent is not sent.
    pub(crate) fn end(self) {
        self.outbox.drop_lane(self.handle);
    }

    /// Sends what stands in order with the output. A closed outbox ends the connection, and the
    /// connection's end this feed.
    pub(crate) fn push(&self, frame: Frame) {
        if self.outbox.push(self.handle, frame).is_err() {
            tracing::debug!(session = %self.session, "a closed connection is not told any more");
        }
    }

    /// Sends before what stands in order.
    pub(crate) fn urgent(&self, event: HostEvent) {
        if self.outbox.urgent(Frame::event(event)).is_err() {
            tracing::debug!(session = %self.session, "a closed connection is not told any more");
        }
    }

    /// Sends output that ends at `end`, unless the hub is too far behind.
    pub(crate) fn on_output(&mut self, end: Seq, at_ms: u64, bytes: Bytes) {
        let size = end.bytes_since(self.sent);
        if self.ahead_bytes() + size > limits::LIVE_AHEAD_BYTES {
            self.skip_to(end);
            return;
        }
        self.sent = end;
        self.push(Frame::output(self.handle, end, at_ms, bytes));
    }

    /// Bytes sent that the hub has not taken.
    fn ahead_bytes(&self) -> u64 {
        let skipped: u64 = self.skipped.iter().map(|span| span.bytes()).sum();
        self.sent.bytes_since(self.took) - skipped
    }

    fn skip_to(&mut self, end: Seq) {
        let mut from = self.sent;
        let session = self.session;
        let dropped = self.outbox.skip_output(self.handle, |first| {
            from = first;
            Frame::skip(session, Span { from, to: end })
        });
        if dropped == 0 {
            self.push(Frame::skip(session, Span { from, to: end }));
        }
        while self.skipped.back().is_some_and(|last| last.to >= from) {
            if let Some(last) = self.skipped.pop_back() {
                from = from.min(last.from);
            }
        }
        self.skipped.push_back(Span { from, to: end });
        self.sent = end;
    }

    /// The hub has taken everything before `seq`.
    pub(crate) fn on_took(&mut self, seq: Seq) {
        self.took = self.took.max(seq.min(self.sent));
        while let Some(first) = self.skipped.front_mut() {
            if first.to > self.took {
                first.from = first.from.max(self.took);
                break;
            }
            self.skipped.pop_front();
        }
    }

    /// Sends what was printed before the feed began, with the marks in their places.
    pub(crate) fn catch_up(&mut self, ring: &Ring, marks: &[Mark]) {
        for mark in marks {
            self.send_ring(ring, mark.seq.min(ring.end()));
            self.on_mark(mark);
        }
        self.send_ring(ring, ring.end());
    }

    fn send_ring(&mut self, ring: &Ring, to: Seq) {
        let wanted = usize::try_from(to.bytes_since(self.sent)).unwrap_or(usize::MAX);
        let Ok(slices) = ring.since(self.sent, wanted) else { return };
        for piece in slices.into_iter().flat_map(|slice| slice.chunks(CHUNK_BYTES)) {
            let at_ms = ring.at_ms(self.sent).unwrap_or(0);
            let end = self.sent.advance(u64::try_from(piece.len()).unwrap_or(0));
            self.on_output(end, at_ms, Bytes::copy_from_slice(piece));
        }
    }

    /// Sends a mark.
    pub(crate) fn on_mark(&self, mark: &Mark) {
        self.push(Frame::event(HostEvent::Mark { session: self.session, mark: mark.clone() }));
    }

    /// Sends a join that stands at exactly what was sent before.
    pub(crate) fn on_join(&self, id: u32, head: JoinHead, screen: &[&[u8]]) {
        self.push(Frame::join(id, head));
        send_parts(&self.outbox, self.handle, id, screen);
    }
}

/// Sends a reply's bytes in parts, the last one marked as such.
pub(crate) fn send_parts(outbox: &Outbox, lane: u32, id: u32, slices: &[&[u8]]) {
    let mut pieces = slices.iter().flat_map(|slice| slice.chunks(CHUNK_BYTES)).peekable();
    loop {
        let piece = pieces.next().unwrap_or_default();
        let last = pieces.peek().is_none();
        let sent = outbox.push(lane, Frame::bulk(id, last, Bytes::copy_from_slice(piece)));
        if last || sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed() -> (Feed, Outbox) {
        let outbox = Outbox::default();
        let session = SessionId::from_random([1; 16]);
        (Feed::new(1, 1, session, outbox.clone(), Seq::ZERO), outbox)
    }

    fn print(feed: &mut Feed, from: u64, chunks: u64) -> u64 {
        let chunk = Bytes::from(vec![b'x'; 64 * 1024]);
        for n in 1..=chunks {
            feed.on_output(Seq(from + n * 64 * 1024), 0, chunk.clone());
        }
        from + chunks * 64 * 1024
    }

    #[test]
    fn a_hub_that_takes_is_sent_everything() {
        let (mut feed, outbox) = feed();
        let mut end = 0;
        for _ in 0..10 {
            end = print(&mut feed, end, 32);
            feed.on_took(Seq(end));
        }
        assert!(feed.skipped.is_empty() && feed.ahead_bytes() == 0);
        assert!(u64::try_from(outbox.waiting_bytes()).unwrap() > end);
    }

    #[test]
    fn a_hub_that_takes_nothing_costs_a_bounded_amount() {
        let (mut feed, outbox) = feed();
        let end = print(&mut feed, 0, 1_000);
        assert!(
            u64::try_from(outbox.waiting_bytes()).unwrap() <= limits::LIVE_AHEAD_BYTES + 65_536
        );
        assert_eq!(feed.skipped.len(), 1, "what is skipped next to each other is one span");
        feed.on_took(Seq(end));
        assert_eq!((feed.ahead_bytes(), feed.skipped.len()), (0, 0));
        print(&mut feed, end, 1);
        assert_eq!(feed.ahead_bytes(), 64 * 1024);
    }

    #[test]
    fn catching_up_puts_marks_in_their_places() {
        let (mut feed, outbox) = feed();
        let mut ring = Ring::new();
        ring.push(b"hello world", 5);
        let mark = |n, seq| Mark {
            n,
            seq: Seq(seq),
            at_ms: 0,
            kind: wire::host::MarkKind::Resize { cols: 1, rows: 1, by: String::new() },
        };
        feed.catch_up(&ring, &[mark(1, 0), mark(2, 5), mark(3, 11)]);
        assert_eq!((feed.sent, outbox.lane_frames(1)), (Seq(11), 5));
    }
}
