//! Cores that follow a session, join its screen and read its record.

use std::time::Instant;

use wire::browser::{Recording, Scope};
use wire::host::{HostEvent, JoinHead, Reply};
use wire::{ErrorBody, ErrorCode, Seq, limits};

use link::Frame;

use super::feed::{Feed, send_parts};
use super::state::State;
use super::{Conn, next_handle};
use crate::pty::Size;

/// Output that a join replays for who asks for no screen.
const REPLAY_BYTES: u64 = 1024 * 1024;
/// How far into it a line end is looked for, to begin after.
const LINE_BYTES: usize = 4096;

impl State {
    pub(super) fn attach(
        &mut self,
        conn: &Conn,
        id: u32,
        after_seq: Seq,
        after_mark: u64,
        now: Instant,
    ) -> Result<(), ErrorBody> {
        let end = self.ring.end();
        if after_seq > end || after_mark > self.marks.last() {
            return Err(ErrorBody::new(ErrorCode::Gap, format!("the output ends at {end}")));
        }
        self.close_gap();
        self.remove_feed(conn.id);
        // No more than the hub may be behind: it would be skipped again at once.
        let from = after_seq.max(self.ring.from()).max(end.back(limits::LIVE_AHEAD_BYTES));
        let session = self.handle.session;
        let mut feed = Feed::new(conn.id, next_handle(), session, conn.outbox.clone(), from);
        let facts = Box::new(self.facts(now));
        let attached = Reply::Attached { handle: feed.handle, from, session: facts };
        // Before everything: events that overtook it would reach nobody.
        conn.answer(id, Ok(attached));
        feed.catch_up(&self.ring, &self.marks.since(after_mark, end));
        let recording = self.recording;
        if !matches!(recording, Recording::On) {
            feed.urgent(HostEvent::Recording { session, recording });
        }
        if let (Some(exit), Some(_)) = (self.exit, self.over) {
            feed.push(Frame::event(HostEvent::Exited { session, exit, seq: end }));
        }
        self.feeds.push(feed);
        Ok(())
    }

    pub(super) fn join(&mut self, conn: &Conn, id: u32, wanted: Scope) -> Result<(), ErrorBody> {
        let Some(feed) = self.feeds.iter().find(|feed| feed.conn == conn.id) else {
            return Err(ErrorBody::new(ErrorCode::Conflict, "attach before you join"));
        };
        let end = self.ring.end();
        let Size { cols, rows, .. } = self.resizes.size();
        let head = |scope, from, bytes| {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            JoinHead { seq: end, cols, rows, scope, from, bytes, modes: self.screen.modes() }
        };
        if let Some((scope, screen)) = self.screen.snapshot(wanted) {
            feed.on_join(id, head(scope, end, screen.len()), &[&screen]);
        } else {
            let (from, slices) = self.replay();
            let bytes = slices.iter().map(|slice| slice.len()).sum();
            feed.on_join(id, head(Scope::Replay, from, bytes), &slices);
        }
        Ok(())
    }

    /// The last stretch of output, from the beginning of a line if one is near.
    fn replay(&self) -> (Seq, Vec<&[u8]>) {
        let end = self.ring.end();
        let mut from = end.back(REPLAY_BYTES).max(self.ring.from());
        if from > Seq::ZERO {
            let start = self.ring.since(from, LINE_BYTES).unwrap_or_default().concat();
            let line = start.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            from = from.advance(u64::try_from(line).unwrap_or(0));
        }
        let bytes = usize::try_from(end.bytes_since(from)).unwrap_or(0);
        (from, self.ring.since(from, bytes).unwrap_or_default())
    }

    pub(super) fn read(
        &mut self,
        conn: &Conn,
        id: u32,
        from: Seq,
        after_mark: u64,
        max_bytes: u32,
    ) -> Result<(), ErrorBody> {
        let end = self.ring.end();
        if from > end {
            return Err(ErrorBody::new(ErrorCode::Gap, format!("the output ends at {end}")));
        }
        self.close_gap();
        let from = from.max(self.ring.from());
        let max = u64::from(max_bytes).min(limits::READ_MAX_BYTES).min(end.bytes_since(from));
        let to = from.advance(max);
        let slices = self.ring.since(from, usize::try_from(max).unwrap_or(0)).unwrap_or_default();
        let at_ms = self.ring.at_ms(from).unwrap_or_else(super::state::now_ms);
        let reply = Reply::Read { from, to, at_ms, marks: self.marks.since(after_mark, to) };
        // A lane of its own: a recorder that catches up waits for no viewer, nor they for it.
        let lane = next_handle();
        if conn.outbox.push(lane, Frame::reply(id, Ok(reply))).is_ok() {
            send_parts(&conn.outbox, lane, id, &slices);
        }
        Ok(())
    }

    /// A connection no longer follows; with the last one its viewers are gone, as far as is known.
    pub(super) fn drop_feed(&mut self, conn: u64, now: Instant) {
        if !self.remove_feed(conn) || !self.feeds.is_empty() {
            return;
        }
        self.viewers.clear();
        if let Some(holder) = self.start.lease.holder().cloned() {
            self.start.lease.on_gone(&holder, now);
            self.queue.on_gone(&holder, now);
        }
        self.hold.on_hold(None, self.ring.end(), now);
    }

    fn remove_feed(&mut self, conn: u64) -> bool {
        let Some(at) = self.feeds.iter().position(|feed| feed.conn == conn) else { return false };
        self.feeds.swap_remove(at).end();
        true
    }
}
