//! A session, a hub and some viewers, with one clock. Joins are by replay: a snapshot holds the
//! output itself, so that what a viewer draws can be compared with what was printed.

use std::time::{Duration, Instant};

use pane::credit::WINDOW_MAX_BYTES;
use pane::cut;
use pane::viewer::{FRAME_EVERY, Resize, Send, Snapshot, Source, Unsent};
use wire::browser::Scope;
use wire::{Seq, Span, limits};

use crate::viewer::{Page, Sent};

/// A bare screen in this world: this much of the last output.
const SCREEN_BYTES: u64 = 4 * 1024;
/// With history: this much.
const FULL_BYTES: u64 = 256 * 1024;

pub(crate) struct World {
    now: Instant,
    /// Whether the host knows screens, or can only play the output again.
    screens: bool,
    session: Session,
    hub: Hub,
    pages: Vec<Page>,
}

/// What a host has of a session.
#[derive(Default)]
struct Session {
    /// Counts the pane's sessions from 1.
    n: u32,
    output: Vec<u8>,
    /// Sizes so far: from where on, and a number that never returns.
    sizes: Vec<(Seq, u64)>,
}

/// What a core has of it.
#[derive(Default)]
struct Hub {
    tail: Span0,
    frames: Vec<Unsent>,
    resizes: Vec<Resize>,
    snapshot: Option<(Snapshot, Seq, u64)>,
    snapshots: u64,
    wanted: Option<Scope>,
    joined_at: Option<Instant>,
    joins: usize,
}

/// A span that begins empty.
#[derive(Clone, Copy, Default)]
struct Span0 {
    from: Seq,
    to: Seq,
}

impl World {
    pub(crate) fn new(viewers: usize, screens: bool) -> Self {
        let now = start();
        let session = Session { n: 1, output: Vec::new(), sizes: vec![(Seq::ZERO, 1)] };
        let hub = Hub::follow(&session, 0, now);
        let pages = (0..viewers).map(|_| Page::new(now)).collect();
        let mut world = Self { now, screens, session, hub, pages };
        world.turn();
        world
    }

    pub(crate) fn print(&mut self, bytes: usize) {
        let text = "aé€😀\r\n".bytes().cycle().skip(self.session.output.len() % 12);
        self.session.output.extend(text.take(bytes));
        self.hub.take(&self.session, self.now);
        self.turn();
    }

    pub(crate) fn resize(&mut self) {
        // Where the hub has cut: an undecided character is drawn after the resize by everybody.
        let (_, last) = *self.session.sizes.last().unwrap();
        self.session.sizes.push((self.hub.tail.to, last + 1));
        self.hub.resized();
        self.turn();
    }

    pub(crate) fn parse(&mut self, viewer: usize, say_so: bool) {
        self.pages[viewer].parse(say_so, self.now);
        self.turn();
    }

    pub(crate) fn show(&mut self, viewer: usize, visible: bool) {
        let page = &mut self.pages[viewer];
        page.visible = visible;
        page.machine.on_visible(visible);
        self.turn();
    }

    pub(crate) fn resync(&mut self, viewer: usize) {
        self.pages[viewer].machine.on_resync();
        self.turn();
    }

    pub(crate) fn drop_socket(&mut self, viewer: usize) {
        self.pages[viewer].reconnect(self.session.n, self.now);
        self.turn();
    }

    pub(crate) fn restart_core(&mut self) {
        let back = self.session.output.len().saturating_sub(200_000);
        self.hub = Hub::follow(&self.session, back, self.now);
        for page in &mut self.pages {
            page.reconnect(self.session.n, self.now);
        }
        self.turn();
    }

    pub(crate) fn replace(&mut self) {
        let (_, last) = *self.session.sizes.last().unwrap();
        let (n, sizes) = (self.session.n + 1, vec![(Seq::ZERO, last + 1)]);
        self.session = Session { n, output: Vec::new(), sizes };
        self.hub = Hub::follow(&self.session, 0, self.now);
        for (n, page) in self.pages.iter_mut().enumerate() {
            // One of them misses it.
            if n == 0 {
                page.reconnect(self.session.n, self.now);
            } else {
                page.machine.on_replaced(self.now);
            }
        }
        self.turn();
    }

    pub(crate) fn advance(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
        self.turn();
    }

    pub(crate) fn joins(&self) -> usize {
        self.hub.joins
    }

    pub(crate) fn sent_bytes(&self, viewer: usize) -> usize {
        self.pages[viewer].sent_bytes
    }

    pub(crate) fn is_current(&self, viewer: usize) -> bool {
        self.pages[viewer].has().1 == self.hub.tail.to
    }

    /// Everybody looks and parses until nothing more happens; then everybody has everything.
    pub(crate) fn settle(&mut self) {
        self.print(12 - self.session.output.len() % 12);
        for viewer in 0..self.pages.len() {
            self.show(viewer, true);
        }
        for _ in 0..200 {
            self.advance(50);
            for viewer in 0..self.pages.len() {
                self.parse(viewer, true);
            }
        }
        let (_, size) = *self.session.sizes.last().unwrap();
        for page in &self.pages {
            let (from, end, drawn, drawn_at) = page.has();
            assert_eq!(end, self.session.end(), "{:?}", page.machine);
            assert_eq!(drawn, self.session.slice(from, end));
            assert_eq!(drawn_at, size);
        }
    }

    /// Sends whatever can be sent, and answers what is asked of the host.
    fn turn(&mut self) {
        loop {
            for page in &mut self.pages {
                self.hub.serve(&self.session, page, self.now);
            }
            if !self.hub.join(&self.session, self.screens, self.now) {
                break;
            }
        }
        for page in &self.pages {
            let unparsed = page.machine.sent().bytes_since(page.machine.parsed());
            assert!(unparsed <= WINDOW_MAX_BYTES, "the window holds");
            assert!(page.waiting_bytes() <= 256 * 1024, "so does what waits at the far end");
        }
        assert!(self.hub.tail.to.bytes_since(self.hub.tail.from) <= limits::TAIL_BYTES);
    }
}

impl Session {
    fn end(&self) -> Seq {
        Seq(self.output.len().try_into().unwrap())
    }

    fn slice(&self, from: Seq, to: Seq) -> &[u8] {
        &self.output[usize::try_from(from.0).unwrap()..usize::try_from(to.0).unwrap()]
    }

    fn size_at(&self, seq: Seq) -> u64 {
        self.sizes.iter().rev().find(|(from, _)| *from <= seq).unwrap().1
    }
}

impl Hub {
    /// A core that begins to follow a session, from `back` on.
    fn follow(session: &Session, back: usize, now: Instant) -> Self {
        let begin = back + session.output[back..].iter().take_while(|b| **b & 0xC0 == 0x80).count();
        let begin = Seq(begin.try_into().unwrap());
        let (resized_at, size) = *session.sizes.last().unwrap();
        let mut hub = Self {
            tail: Span0 { from: begin, to: begin },
            resizes: vec![Resize { n: size, seq: resized_at }],
            ..Self::default()
        };
        hub.take(session, now);
        hub
    }

    /// Takes output that it does not have yet, and cuts it.
    fn take(&mut self, session: &Session, arrived: Instant) {
        let fresh = session.slice(self.tail.to, session.end());
        let mut ready = &fresh[..cut::decided(fresh)];
        while !ready.is_empty() {
            let (piece, rest) = ready.split_at(cut::piece(ready, 8 * 1024));
            self.tail.to = self.tail.to.advance(piece.len().try_into().unwrap());
            self.frames.push(Unsent { end: self.tail.to, arrived });
            ready = rest;
        }
        while self.tail.to.bytes_since(self.tail.from) > limits::TAIL_BYTES {
            self.tail.from = self.frames.remove(0).end;
        }
    }

    fn resized(&mut self) {
        let n = self.resizes.last().unwrap().n + 1;
        self.resizes.push(Resize { n, seq: self.tail.to });
    }

    /// Answers a join, if one is wanted and it is time. True when it did.
    fn join(&mut self, session: &Session, screens: bool, now: Instant) -> bool {
        if self.joined_at.is_some_and(|at| now < at + FRAME_EVERY) {
            return false;
        }
        let Some(wanted) = self.wanted.take() else { return false };
        self.joins += 1;
        self.joined_at = Some(now);
        self.snapshots += 1;
        let (scope, bytes) = match (screens, wanted) {
            (false, _) => (Scope::Replay, FULL_BYTES),
            (true, Scope::Screen) => (Scope::Screen, SCREEN_BYTES),
            (true, Scope::Full | Scope::Replay) => (Scope::Full, FULL_BYTES),
        };
        let seq = self.tail.to;
        let resize = self.resizes.last().unwrap().n;
        let snapshot = Snapshot { id: self.snapshots, seq, scope, resize, parts: 3 };
        self.snapshot = Some((snapshot, seq.back(bytes), session.size_at(seq)));
        true
    }

    fn serve(&mut self, session: &Session, page: &mut Page, now: Instant) {
        loop {
            let at = page.machine.sent();
            let source = Source {
                tail: Span { from: self.tail.from, to: self.tail.to },
                unsent: (at >= self.tail.from)
                    .then(|| {
                        self.frames
                            .get(self.frames.partition_point(|frame| frame.end <= at))
                            .copied()
                    })
                    .flatten(),
                resizes: &self.resizes,
                snapshot: self.snapshot.map(|(snapshot, ..)| snapshot),
            };
            let size = self.resizes.last().unwrap().n;
            let sent = match page.machine.poll(&source, now) {
                Send::Nothing(_) => return,
                Send::Join(scope) => {
                    self.wanted = self.wanted.max(Some(scope));
                    continue;
                }
                Send::Head { .. } | Send::Part { last: false, .. } => continue,
                Send::Part { n, last: true, .. } => {
                    let (snapshot, from, size) = self.snapshot.unwrap();
                    let bytes = session.slice(from, snapshot.seq).to_vec();
                    page.sent_bytes += usize::try_from(SCREEN_BYTES).unwrap();
                    Sent::Snapshot { n, from, bytes, seq: snapshot.seq, size }
                }
                Send::Ready(from) => Sent::Ready { session: session.n, from, size },
                Send::Replaced(stream) => Sent::Replaced { session: session.n, stream },
                Send::Resized(size) => Sent::Resized { size },
                Send::Ping { seq, n } => Sent::Ping { seq, n },
                Send::Output { from, end } => {
                    let bytes = session.slice(from, end).to_vec();
                    page.sent_bytes += bytes.len();
                    Sent::Output { from, bytes, size: session.size_at(from) }
                }
            };
            page.inbox.push_back(sent);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "an Instant can be had no other way")]
fn start() -> Instant {
    Instant::now()
}
