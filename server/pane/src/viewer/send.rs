//! The decision itself, phase by phase.

use std::time::Instant;

use wire::Seq;
use wire::browser::{Scope, SnapshotReason};

use super::{
    Acks, Asked, FRAME_EVERY, LAG_AGE, LAG_BYTES, Lag, Phase, Resize, Send, Shown, Snapshot,
    Source, Viewer,
};
use crate::join::{self, Join};

impl Viewer {
    /// What to send next. What is answered counts as sent; ask until it is [`Send::Nothing`].
    pub fn poll(&mut self, source: &Source<'_>, now: Instant) -> Send {
        match self.phase {
            Phase::New { has } => self.begin(has, source, now),
            Phase::Replaced => {
                self.begin(None, source, now);
                self.told = 0;
                Send::Replaced(self.stream)
            }
            Phase::Drawing { snapshot, reason, part } => self.draw(snapshot, reason, part, now),
            Phase::Wants { scope, reason, asked } => {
                if let Some(ping) = self.ping() {
                    return ping;
                }
                self.wait_for_snapshot(scope, reason, asked, source, now)
            }
            Phase::Live => self.follow(source, now),
        }
    }

    fn begin(&mut self, has: Option<Seq>, source: &Source<'_>, now: Instant) -> Send {
        let newest = source.resizes.last();
        self.told = newest.map_or(0, |resize| resize.n);
        self.since = now;
        match join::choose(source.tail, has, newest.map_or(Seq::ZERO, |resize| resize.seq)) {
            Join::Tail(from) => {
                // A size that came exactly there, the viewer may not have been told before it left.
                if has.is_some() && newest.is_some_and(|resize| resize.seq == from) {
                    self.told = self.told.saturating_sub(1);
                }
                self.credit.restart(from);
                self.phase = Phase::Live;
                Send::Ready(from)
            }
            Join::Screen => {
                self.credit.restart(Seq::ZERO);
                self.want(Scope::Screen, SnapshotReason::Attach);
                Send::Ready(source.tail.to)
            }
        }
    }

    fn draw(
        &mut self,
        snapshot: Snapshot,
        reason: SnapshotReason,
        part: u32,
        now: Instant,
    ) -> Send {
        let last = part + 1 >= snapshot.parts;
        if last {
            let before = self.sent();
            self.shown = Some(Shown {
                n: self.snapshots,
                seq: snapshot.seq,
                scope: snapshot.scope,
                reason,
                before,
                parsed: false,
            });
            self.credit.restart(snapshot.seq);
            self.told = snapshot.resize;
            self.since = now;
            self.phase = Phase::Live;
        } else {
            self.phase = Phase::Drawing { snapshot, reason, part: part + 1 };
        }
        Send::Part { n: self.snapshots, part, last }
    }

    fn wait_for_snapshot(
        &mut self,
        scope: Scope,
        reason: SnapshotReason,
        asked: Option<Asked>,
        source: &Source<'_>,
        now: Instant,
    ) -> Send {
        // A hidden viewer is sent no frames; one that has not drawn the last is sent no other.
        if self.hidden || self.shown.is_some_and(|shown| !shown.parsed) {
            return Send::Nothing(None);
        }
        if let Some(due) = self.framed_at.map(|at| at + FRAME_EVERY).filter(|due| now < *due) {
            return Send::Nothing(Some(due));
        }
        if let Some(snapshot) = source.snapshot.filter(|s| self.accepts(s, scope, asked, source)) {
            return self.start_drawing(snapshot, reason, source, now);
        }
        let newest = source.snapshot.map(|snapshot| snapshot.id);
        if asked == Some(Asked { newest }) {
            return Send::Nothing(None);
        }
        self.phase = Phase::Wants { scope, reason, asked: Some(Asked { newest }) };
        Send::Join(scope)
    }

    /// Whether a snapshot can be drawn and followed from. One that was asked for is taken even if
    /// the flood has gone past it meanwhile: a frame is a frame.
    fn accepts(
        &self,
        snapshot: &Snapshot,
        scope: Scope,
        asked: Option<Asked>,
        source: &Source<'_>,
    ) -> bool {
        let newest = source.resizes.last().map_or(0, |resize| resize.n);
        let mine = asked.is_some_and(|asked| Some(snapshot.id) > asked.newest);
        let near = source.tail.from <= snapshot.seq
            && source.tail.to.bytes_since(snapshot.seq) < self.catch_up_bytes();
        join::serves(snapshot.scope, scope)
            && snapshot.resize == newest
            && snapshot.seq >= self.sent()
            && (mine || near)
    }

    fn start_drawing(
        &mut self,
        snapshot: Snapshot,
        reason: SnapshotReason,
        source: &Source<'_>,
        now: Instant,
    ) -> Send {
        let lag = (reason == SnapshotReason::Lag).then(|| Lag {
            behind_bytes: source.tail.to.bytes_since(self.sent()),
            skipped_bytes: snapshot.seq.bytes_since(self.sent()),
        });
        self.skipped_bytes += lag.map_or(0, |lag| lag.skipped_bytes);
        self.snapshots += 1;
        self.framed_at = Some(now);
        self.phase = Phase::Drawing { snapshot, reason, part: 0 };
        Send::Head { n: self.snapshots, id: snapshot.id, reason, lag }
    }

    fn follow(&mut self, source: &Source<'_>, now: Instant) -> Send {
        if let Some(ping) = self.ping() {
            return ping;
        }
        let sent = self.sent();
        let behind = source.tail.to.bytes_since(sent);
        let mut stop = source.tail.to;
        match untold(source.resizes, self.told) {
            Untold::None => {}
            Untold::Next(resize) if resize.seq <= sent => {
                self.told = resize.n;
                return Send::Resized(resize.n);
            }
            // Sent at once it is still in order; otherwise it would be laid out for a size that
            // the viewer leaves before it is drawn.
            Untold::Next(resize) if resize.seq.bytes_since(sent) <= self.credit.available() => {
                stop = resize.seq;
            }
            Untold::Next(_) | Untold::Lost => {
                return self.fall_behind(SnapshotReason::Resize, source, now);
            }
        }
        let Some(unsent) = source.unsent.filter(|_| behind > 0) else {
            if behind > 0 {
                return self.fall_behind(SnapshotReason::Lag, source, now);
            }
            return self.caught_up(source, now);
        };
        let mut wake = None;
        if behind > LAG_BYTES && !self.hidden {
            let lags = unsent.arrived.max(self.since) + LAG_AGE;
            if now >= lags {
                return self.fall_behind(SnapshotReason::Lag, source, now);
            }
            wake = Some(lags);
        }
        let end = unsent.end.min(stop);
        if end.bytes_since(sent) > self.credit.available() {
            self.credit.on_held_up(now);
            return Send::Nothing(wake);
        }
        self.credit.on_sent(end, now);
        Send::Output { from: sent, end }
    }

    fn fall_behind(&mut self, reason: SnapshotReason, source: &Source<'_>, now: Instant) -> Send {
        self.want(Scope::Screen, reason);
        self.poll(source, now)
    }

    /// A viewer that was shown a bare screen gets its history once it has caught up.
    fn caught_up(&mut self, source: &Source<'_>, now: Instant) -> Send {
        let bare = self.shown.filter(|shown| shown.scope == Scope::Screen && shown.parsed);
        match bare {
            Some(shown) if !self.hidden => {
                self.want(Scope::Full, shown.reason);
                self.poll(source, now)
            }
            Some(_) | None => Send::Nothing(None),
        }
    }

    fn ping(&mut self) -> Option<Send> {
        let (every, sent) = (self.ping_every(), self.sent());
        let shown = self.shown.map_or(0, |shown| shown.n);
        let Acks::Pongs { pinged, snapshot } = &mut self.acks else { return None };
        if sent.bytes_since(*pinged) < every && shown <= *snapshot {
            return None;
        }
        (*pinged, *snapshot) = (sent, shown.max(*snapshot));
        Some(Send::Ping { seq: sent, n: *snapshot })
    }
}

/// The next size that a viewer is to be told.
enum Untold {
    None,
    Next(Resize),
    /// There were more than are remembered.
    Lost,
}

fn untold(resizes: &[Resize], told: u64) -> Untold {
    match resizes.iter().find(|resize| resize.n > told) {
        None => Untold::None,
        Some(resize) if resize.n == told + 1 || told == 0 => Untold::Next(*resize),
        Some(_) => Untold::Lost,
    }
}
