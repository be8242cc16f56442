use super::*;
use crate::credit::{HIDDEN_BYTES, WINDOW_BYTES};
use crate::testing::{ms, start};

#[test]
fn a_new_viewer_of_a_new_session_follows_it_from_the_start() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    hub.print(5);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Ready(Seq(0)));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(0, 5));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(None));
}

#[test]
fn a_viewer_that_comes_back_gets_the_bytes_it_misses() {
    let mut hub = Hub::new();
    hub.print(100);
    let mut viewer = Viewer::new(Some(Seq(40)), hub.now);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Ready(Seq(40)));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(40, 100));
}

#[test]
fn output_stops_at_the_window_and_goes_on_with_the_ack() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(WINDOW_BYTES + 8_192);
    assert_eq!(drain(&mut viewer, &hub), WINDOW_BYTES / 8_192);
    viewer.on_ack(1, Seq(8_192), None, hub.now).unwrap();
    assert_eq!(drain(&mut viewer, &hub), 1);
    viewer.on_ack(7, Seq(99_999_999), None, hub.now).unwrap();
    assert_eq!(drain(&mut viewer, &hub), 0, "another stream's ack is nothing");
    assert!(viewer.on_ack(1, Seq(99_999_999), None, hub.now).is_err());
    assert!(viewer.on_ack(1, Seq(0), Some(1), hub.now).is_err(), "no snapshot was sent");
}

#[test]
fn a_backlog_that_grows_old_becomes_a_frame_and_the_next_waits_for_the_ack() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(300_000);
    drain(&mut viewer, &hub);
    let lags = hub.now + LAG_AGE;
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(Some(lags)));

    hub.now = lags;
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(None));
    hub.join(Scope::Replay, 2);
    let lag = Lag { behind_bytes: 300_000 - 65_536, skipped_bytes: 300_000 - 65_536 };
    let head = Send::Head { n: 1, id: 1, reason: SnapshotReason::Lag, lag: Some(lag) };
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), head);
    assert!(viewer.is_drawing());
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), part(1, 0, false));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), part(1, 1, true));
    assert_eq!(viewer.sent(), Seq(300_000));

    // A flood goes past it: nothing more before it has drawn what it has.
    hub.print(9_000_000);
    hub.now += ms(1_000);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(None));
    viewer.on_ack(1, Seq(300_000), Some(1), hub.now).unwrap();
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));
}

#[test]
fn frames_come_ten_times_a_second_at_most() {
    let (mut viewer, mut hub) = (Viewer::new(Some(Seq(9)), start()), Hub::new());
    hub.print(5_000_000);
    let mut heads = 0;
    for _ in 0..1_000 {
        hub.now += ms(1);
        hub.print(100_000);
        loop {
            match viewer.poll(&hub.source(&viewer), hub.now) {
                Send::Nothing(_) => break,
                Send::Join(_) => hub.join(Scope::Replay, 1),
                Send::Head { .. } => heads += 1,
                Send::Part { n, .. } => viewer.on_ack(1, viewer.sent(), Some(n), hub.now).unwrap(),
                Send::Ready(_)
                | Send::Replaced(_)
                | Send::Resized(_)
                | Send::Output { .. }
                | Send::Ping { .. } => {}
            }
        }
    }
    assert_eq!(heads, 10);
}

#[test]
fn a_late_ack_of_output_is_not_one_of_the_snapshot_after_it() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(10);
    drain(&mut viewer, &hub);
    viewer.on_resync();
    hub.join(Scope::Screen, 1);
    drain(&mut viewer, &hub);
    viewer.on_ack(1, Seq(10), None, hub.now).unwrap();
    assert!(viewer.has_unparsed());
    viewer.on_ack(1, Seq(10), Some(1), hub.now).unwrap();
    assert!(!viewer.has_unparsed());
}

#[test]
fn history_follows_a_bare_screen_once_it_is_drawn() {
    let mut hub = Hub::new();
    hub.print(200_000);
    let mut viewer = Viewer::new(None, hub.now);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Ready(Seq(200_000)));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));
    hub.join(Scope::Screen, 1);
    drain(&mut viewer, &hub);
    hub.now += FRAME_EVERY;
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(None));
    viewer.on_ack(1, Seq(200_000), Some(1), hub.now).unwrap();
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Full));
    hub.join(Scope::Full, 1);
    let head = Send::Head { n: 2, id: 2, reason: SnapshotReason::Attach, lag: None };
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), head);
}

#[test]
fn a_snapshot_serves_who_comes_later_until_a_resize() {
    let mut hub = Hub::new();
    hub.print(200_000);
    hub.join(Scope::Full, 1);
    hub.print(10);
    let mut viewer = Viewer::new(None, hub.now);
    viewer.poll(&hub.source(&viewer), hub.now);
    assert!(matches!(viewer.poll(&hub.source(&viewer), hub.now), Send::Head { id: 1, .. }));

    hub.resize();
    let mut viewer = Viewer::new(None, hub.now);
    viewer.poll(&hub.source(&viewer), hub.now);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));
}

#[test]
fn a_resize_stands_at_its_offset_for_who_keeps_up() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(10);
    hub.resize();
    hub.print(10);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(0, 10));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Resized(2));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(10, 20));
}

#[test]
fn who_comes_back_exactly_where_a_resize_stands_is_told_of_it() {
    let mut hub = Hub::new();
    hub.print(10);
    hub.resize();
    hub.print(5);
    let mut viewer = Viewer::new(Some(Seq(10)), hub.now);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Ready(Seq(10)));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Resized(2));
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(10, 15));
}

#[test]
fn a_resize_in_what_cannot_be_sent_at_once_becomes_a_frame() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(WINDOW_BYTES + 1);
    drain(&mut viewer, &hub);
    hub.resize();
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));
    hub.join(Scope::Screen, 1);
    let head = Send::Head { n: 1, id: 1, reason: SnapshotReason::Resize, lag: None };
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), head);
}

#[test]
fn a_hidden_viewer_costs_its_window_and_then_nothing_until_it_is_seen() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.on_visible(false);
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(5_000_000);
    assert_eq!(drain(&mut viewer, &hub), 0, "the tail no longer reaches back");
    hub.now += ms(60_000);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Nothing(None));
    viewer.on_visible(true);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), Send::Join(Scope::Screen));

    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.on_visible(false);
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(40_000);
    assert_eq!(drain(&mut viewer, &hub), HIDDEN_BYTES / 8_192);
    viewer.on_visible(true);
    assert_eq!(drain(&mut viewer, &hub), 3, "what is left is bytes");
}

#[test]
fn a_viewer_that_never_acknowledges_is_measured_by_pings() {
    let (viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    let mut viewer = viewer.without_acks();
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(200_000);
    let mut pings = Vec::new();
    loop {
        match viewer.poll(&hub.source(&viewer), hub.now) {
            Send::Ping { seq, n } => pings.push((seq, n)),
            Send::Output { .. } => {}
            other @ (Send::Nothing(_)
            | Send::Ready(_)
            | Send::Replaced(_)
            | Send::Resized(_)
            | Send::Head { .. }
            | Send::Part { .. }
            | Send::Join(_)) => {
                assert_eq!(other, Send::Nothing(Some(hub.now + LAG_AGE)));
                break;
            }
        }
    }
    assert_eq!(pings, [(Seq(32_768), 0), (Seq(65_536), 0)]);
    viewer.on_ack(1, Seq(32_768), None, hub.now).unwrap();
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), output(65_536, 73_728));
}

#[test]
fn a_replaced_session_begins_at_nothing_under_a_new_stream() {
    let (mut viewer, mut hub) = (Viewer::new(None, start()), Hub::new());
    viewer.poll(&hub.source(&viewer), hub.now);
    hub.print(10);
    drain(&mut viewer, &hub);
    let mut next = Hub::new();
    next.print(3);
    viewer.on_replaced(next.now);
    assert_eq!(viewer.poll(&next.source(&viewer), next.now), Send::Replaced(2));
    assert_eq!(viewer.poll(&next.source(&viewer), next.now), Send::Resized(1));
    assert_eq!(viewer.poll(&next.source(&viewer), next.now), output(0, 3));
    viewer.on_ack(1, Seq(10), None, hub.now).unwrap();
    assert_eq!(viewer.parsed(), Seq(0));
}

#[test]
fn a_resync_discards_an_unfinished_snapshot() {
    let mut hub = Hub::new();
    hub.print(200_000);
    hub.join(Scope::Full, 3);
    let mut viewer = Viewer::new(None, hub.now);
    viewer.poll(&hub.source(&viewer), hub.now);
    viewer.poll(&hub.source(&viewer), hub.now);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), part(1, 0, false));
    viewer.on_resync();
    hub.now += FRAME_EVERY;
    let head = Send::Head { n: 2, id: 1, reason: SnapshotReason::Resync, lag: None };
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), head);
    assert_eq!(viewer.poll(&hub.source(&viewer), hub.now), part(2, 0, false));
}

/// Sends what can be sent; how many outputs that were.
fn drain(viewer: &mut Viewer, hub: &Hub) -> u64 {
    let mut outputs = 0;
    loop {
        match viewer.poll(&hub.source(viewer), hub.now) {
            Send::Nothing(_) | Send::Join(_) => return outputs,
            Send::Output { .. } => outputs += 1,
            Send::Ready(_)
            | Send::Replaced(_)
            | Send::Resized(_)
            | Send::Head { .. }
            | Send::Part { .. }
            | Send::Ping { .. } => {}
        }
    }
}

fn output(from: u64, end: u64) -> Send {
    Send::Output { from: Seq(from), end: Seq(end) }
}

fn part(n: u32, part: u32, last: bool) -> Send {
    Send::Part { n, part, last }
}

/// A hub that remembers no bytes.
struct Hub {
    now: Instant,
    tail: Span,
    /// Frames: where each ends and when it came.
    frames: Vec<Unsent>,
    resizes: Vec<Resize>,
    snapshot: Option<Snapshot>,
}

impl Hub {
    fn new() -> Self {
        Self {
            now: start(),
            tail: Span { from: Seq(0), to: Seq(0) },
            frames: Vec::new(),
            resizes: vec![Resize { n: 1, seq: Seq(0) }],
            snapshot: None,
        }
    }

    fn print(&mut self, mut bytes: u64) {
        while bytes > 0 {
            let frame = bytes.min(limits::OUTPUT_FRAME_MAX_BYTES);
            self.tail.to = self.tail.to.advance(frame);
            self.frames.push(Unsent { end: self.tail.to, arrived: self.now });
            bytes -= frame;
        }
        self.tail.from = self.tail.from.max(self.tail.to.back(limits::TAIL_BYTES));
    }

    fn resize(&mut self) {
        let n = self.resizes.last().unwrap().n + 1;
        self.resizes.push(Resize { n, seq: self.tail.to });
    }

    fn join(&mut self, scope: Scope, parts: u32) {
        let id = self.snapshot.map_or(0, |snapshot| snapshot.id) + 1;
        let resize = self.resizes.last().unwrap().n;
        self.snapshot = Some(Snapshot { id, seq: self.tail.to, scope, resize, parts });
    }

    fn source(&self, viewer: &Viewer) -> Source<'_> {
        let held = self.tail.from <= viewer.sent();
        let unsent = self.frames.iter().find(|frame| held && frame.end > viewer.sent()).copied();
        Source { tail: self.tail, unsent, resizes: &self.resizes, snapshot: self.snapshot }
    }
}
