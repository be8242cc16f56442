//! What is to be sent on one connection, in the order in which it goes.
//!
//! Urgent frames (answers to keys, the lease, pings) go before everything. All else stands in
//! lanes, one a session, each in its own order; lanes take turns frame by frame, so a session that
//! floods delays the others by one frame each, never by its backlog.
//!
//! Nothing here waits: who pushes is told when a bound is passed. Output is bounded by its session
//! (see [`Outbox::skip_output`]); urgent frames and lanes by [`URGENT_MAX_BYTES`] and
//! [`LANE_MAX_FRAMES`], past which the peer has stopped reading and the connection is closed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use wire::{Seq, Span};

use crate::Frame;

/// Most bytes of urgent frames that wait.
pub const URGENT_MAX_BYTES: usize = 8 * 1024 * 1024;
/// Most frames that wait in one lane. A live feed of the smallest reads stays below it.
pub const LANE_MAX_FRAMES: usize = 64 * 1024;

/// The connection is closed: nothing more will be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the link is closed")]
pub struct Closed;

/// Where frames wait for the socket. A cheap clone.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    turns: Mutex<Turns>,
    /// Holds one permit while there is something the writer has not looked at.
    filled: Notify,
    closed: tokio::sync::watch::Sender<bool>,
}

impl Outbox {
    /// Sends before everything that stands in lanes.
    ///
    /// # Errors
    ///
    /// [`Closed`], also when this frame went past the bound and so closed it.
    pub fn urgent(&self, frame: Frame) -> Result<(), Closed> {
        self.change(|turns| turns.push_urgent(frame) <= URGENT_MAX_BYTES)
    }

    /// Sends after everything that stands in the same lane.
    ///
    /// # Errors
    ///
    /// [`Closed`], also when this frame went past the bound and so closed it.
    pub fn push(&self, lane: u32, frame: Frame) -> Result<(), Closed> {
        self.change(|turns| turns.push(lane, frame) <= LANE_MAX_FRAMES)
    }

    /// Drops the output at the end of a lane that the writer has not taken yet, down to the last
    /// frame that stands at an offset and is no output (a join). What else stands between, such as
    /// marks, stays. `make` gets the first dropped offset and returns what takes the place of all.
    ///
    /// Returns the bytes of output that will not be sent.
    pub fn skip_output(&self, lane: u32, make: impl FnOnce(Seq) -> Frame) -> u64 {
        self.lock().skip_output(lane, make)
    }

    /// Forgets a lane and what stands in it.
    pub fn drop_lane(&self, lane: u32) {
        let mut turns = self.lock();
        turns.lanes.remove(&lane);
        turns.order.retain(|&other| other != lane);
    }

    /// Bytes that wait to be sent.
    pub fn waiting_bytes(&self) -> usize {
        let turns = self.lock();
        turns.urgent_bytes + turns.lanes.values().flatten().map(Frame::len).sum::<usize>()
    }

    /// Bytes that wait in one lane.
    pub fn lane_bytes(&self, lane: u32) -> usize {
        self.lock().lanes.get(&lane).map_or(0, |frames| frames.iter().map(Frame::len).sum())
    }

    /// Frames that wait in one lane.
    pub fn lane_frames(&self, lane: u32) -> usize {
        self.lock().lanes.get(&lane).map_or(0, VecDeque::len)
    }

    /// Ends the connection: what still waits is not sent.
    pub fn close(&self) {
        self.shared.closed.send_replace(true);
        self.shared.filled.notify_one();
        *self.lock() = Turns::default();
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        *self.shared.closed.borrow()
    }

    /// Waits until the connection has ended.
    pub async fn closed(&self) {
        let mut closed = self.shared.closed.subscribe();
        // Fails only when the sender is gone, and `self` holds it.
        drop(closed.wait_for(|closed| *closed).await);
    }

    /// The frames of the next write, at most about `most` bytes; none once closed.
    pub(crate) async fn next(&self, most: usize) -> Option<VecDeque<Frame>> {
        loop {
            if self.is_closed() {
                return None;
            }
            let batch = self.lock().take(most);
            if !batch.is_empty() {
                return Some(batch);
            }
            self.shared.filled.notified().await;
        }
    }

    fn change(&self, change: impl FnOnce(&mut Turns) -> bool) -> Result<(), Closed> {
        if self.is_closed() {
            return Err(Closed);
        }
        let within = change(&mut self.lock());
        if within {
            self.shared.filled.notify_one();
            return Ok(());
        }
        tracing::warn!("the peer has stopped reading: closing the link");
        self.close();
        Err(Closed)
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.shared.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The order of frames. Pure.
#[derive(Debug, Default)]
struct Turns {
    urgent: VecDeque<Frame>,
    urgent_bytes: usize,
    lanes: HashMap<u32, VecDeque<Frame>>,
    /// Lanes with something in them, the next one to serve first. Each at most once.
    order: VecDeque<u32>,
}

impl Turns {
    /// Returns how many bytes are urgent now.
    fn push_urgent(&mut self, frame: Frame) -> usize {
        self.urgent_bytes += frame.len();
        self.urgent.push_back(frame);
        self.urgent_bytes
    }

    /// Returns how many frames the lane holds now.
    fn push(&mut self, lane: u32, frame: Frame) -> usize {
        let frames = self.lanes.entry(lane).or_default();
        if frames.is_empty() {
            self.order.push_back(lane);
        }
        frames.push_back(frame);
        frames.len()
    }

    fn take(&mut self, most: usize) -> VecDeque<Frame> {
        let mut batch = VecDeque::new();
        let mut bytes = 0;
        while bytes < most {
            let Some(frame) = self.take_one() else { break };
            bytes += frame.len();
            batch.push_back(frame);
        }
        batch
    }

    fn take_one(&mut self) -> Option<Frame> {
        if let Some(frame) = self.urgent.pop_front() {
            self.urgent_bytes -= frame.len();
            return Some(frame);
        }
        let lane = self.order.pop_front()?;
        let frames = self.lanes.get_mut(&lane)?;
        let frame = frames.pop_front();
        if frames.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.order.push_back(lane);
        }
        frame
    }

    fn skip_output(&mut self, lane: u32, make: impl FnOnce(Seq) -> Frame) -> u64 {
        let Some(frames) = self.lanes.get_mut(&lane) else { return 0 };
        let start = frames.iter().rposition(|frame| frame.barrier).map_or(0, |at| at + 1);
        let Some(first) = (start..frames.len()).find(|&at| frames[at].span.is_some()) else {
            return 0;
        };
        let mut dropped = 0;
        let mut kept = frames.split_off(first);
        let from = kept.iter().find_map(|frame| frame.span).map_or(Seq::ZERO, |span| span.from);
        kept.retain(|frame| {
            dropped += frame.span.map_or(0, Span::bytes);
            frame.span.is_none()
        });
        frames.push_back(make(from));
        frames.append(&mut kept);
        dropped
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use wire::SessionId;
    use wire::host::Reply;

    use super::*;
    use crate::frame::tests::join_head;

    fn output(end: u64) -> Frame {
        Frame::output(1, Seq(end), 0, Bytes::from_static(b"0123456789"))
    }

    fn skip(from: Seq, to: u64) -> Frame {
        Frame::skip(SessionId::from_random([0; 16]), Span { from, to: Seq(to) })
    }

    fn spans(turns: &mut Turns) -> Vec<Option<(u64, u64)>> {
        turns
            .take(usize::MAX)
            .iter()
            .map(|frame| frame.span.map(|span| (span.from.0, span.to.0)))
            .collect()
    }

    #[test]
    fn lanes_take_turns_and_urgent_frames_go_first() {
        let mut turns = Turns::default();
        for n in 1..=3 {
            turns.push(1, output(n * 10));
        }
        turns.push(2, output(500));
        turns.push_urgent(Frame::bulk(9, true, Bytes::new()));
        assert_eq!(
            spans(&mut turns),
            [None, Some((0, 10)), Some((490, 500)), Some((10, 20)), Some((20, 30))]
        );
        assert!(turns.order.is_empty() && turns.lanes.is_empty());
    }

    #[test]
    fn a_skip_takes_the_place_of_unsent_output_and_keeps_what_stands_between() {
        let mut turns = Turns::default();
        turns.push(1, output(10));
        turns.push(1, Frame::reply(1, Ok(Reply::Done)));
        turns.push(1, output(20));
        assert_eq!(turns.skip_output(1, |from| skip(from, 20)), 20);
        // A skip that was not sent either is widened, not followed by another.
        turns.push(1, output(30));
        assert_eq!(turns.skip_output(1, |from| skip(from, 30)), 30);
        assert_eq!(spans(&mut turns), [Some((0, 30)), None]);
    }

    #[test]
    fn output_before_a_join_is_never_skipped() {
        let mut turns = Turns::default();
        turns.push(1, output(10));
        turns.push(1, Frame::join(4, join_head(10)));
        turns.push(1, Frame::bulk(4, true, Bytes::new()));
        assert_eq!(turns.skip_output(1, |from| skip(from, 10)), 0);
        turns.push(1, output(20));
        assert_eq!(turns.skip_output(1, |from| skip(from, 20)), 10);
        assert_eq!(spans(&mut turns), [Some((0, 10)), None, None, Some((10, 20))]);
    }

    #[tokio::test]
    async fn a_peer_that_reads_nothing_is_closed_at_the_bound() {
        let outbox = Outbox::default();
        let frame = Frame::bulk(1, false, Bytes::from(vec![0; 1024 * 1024]));
        let pushed = (0..9).take_while(|_| outbox.urgent(frame.clone()).is_ok()).count();
        assert_eq!(pushed, 7);
        outbox.closed().await;
        assert_eq!(outbox.waiting_bytes(), 0);
        assert!(outbox.next(1).await.is_none());
    }
}
