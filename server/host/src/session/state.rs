//! What a session is made of, and what becomes of its output.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use link::Frame;
use pane::flow::{Flow, Hold, Policy, Spool, Step};
use pane::lease::Lease;
use pane::reap::{Facts, Reap};
use pane::ring::Ring;
use wire::browser::{Exit, Recording};
use wire::host::{By, HostEvent, Mark, MarkKind, SessionFacts, Theme};
use wire::{CallerId, ViewerId};

use super::feed::Feed;
use super::marks::Marks;
use super::queue::Queue;
use super::resize::Resizes;
use super::{Conn, Handle, Look};
use crate::procs::Trace;
use crate::pty::{Pty, Size};
use crate::screen::Screen;

/// How a session was started.
#[derive(Debug)]
pub(crate) struct Start {
    /// Its profile.
    pub(crate) profile: String,
    /// Its command.
    pub(crate) command: String,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// Where.
    pub(crate) cwd: String,
    /// How large.
    pub(crate) size: Size,
    /// The colours of whoever starts it: programs ask for them in their first milliseconds.
    pub(crate) theme: Option<Theme>,
    /// Whether its output must be kept for a recorder.
    pub(crate) record: bool,
    /// Whether it may be ended when nobody needs it.
    pub(crate) resumable: bool,
    /// Its lease: a free one, or that of the session it replaces.
    pub(crate) lease: Lease,
}

/// A terminal that nobody has open is looked at again after this: a program that lives may open it
/// anew.
const HUNG_UP: Duration = Duration::from_millis(100);

/// Between two looks at a terminal that is said to be ready and is not.
const REOPENED: Duration = Duration::from_millis(10);

/// Everything about a session.
#[derive(Debug)]
pub(super) struct State {
    pub(super) handle: Handle,
    pub(super) start: Start,
    pub(super) started_at_ms: u64,
    pub(super) trace: Trace,
    /// None once the program has ended and its output is read.
    pub(super) pty: Option<Arc<Pty>>,
    pub(super) ring: Ring,
    pub(super) marks: Marks,
    pub(super) screen: Screen,
    pub(super) feeds: Vec<Feed>,
    pub(super) queue: Queue,
    /// Whose input the queue holds.
    pub(super) typing: Option<(CallerId, ViewerId)>,
    pub(super) resizes: Resizes,
    pub(super) resized_at: wire::Seq,
    pub(super) flow: Flow,
    pub(super) hold: Hold,
    pub(super) recording: Recording,
    /// How the program ended; set before its last output is read.
    pub(super) exit: Option<Exit>,
    /// Everything was read and said.
    pub(super) over: Option<Instant>,
    /// Requests that wait for the end of every process.
    pub(super) ending: Option<Vec<(Conn, u32)>>,
    /// The end has come, for all but these.
    pub(super) ended: Option<Vec<(u32, String)>>,
    /// Nobody has the terminal open; looked at again then.
    pub(super) hung_up: Option<Instant>,
    /// How often in a row there was nothing to read although it was said that there is.
    pub(super) nothing_read: u32,
    /// Not read before then for that reason.
    pub(super) unread_until: Option<Instant>,
    /// It took nothing although it was said to; asked again then.
    pub(super) full_until: Option<Instant>,
    /// The host waits until all is stored; nothing is read any more.
    pub(super) finish: Option<tokio::sync::oneshot::Sender<()>>,
    pub(super) finishing: bool,
    pub(super) reap: Reap,
    /// Viewers of which the cores have told.
    pub(super) viewers: HashSet<(CallerId, ViewerId)>,
}

impl State {
    pub(super) fn new(handle: Handle, start: Start, trace: Trace, pty: Pty, now: Instant) -> Self {
        let (session, size) = (handle.session, start.size);
        let mut state = Self {
            handle,
            started_at_ms: now_ms(),
            trace,
            pty: Some(Arc::new(pty)),
            ring: Ring::new(),
            marks: Marks::default(),
            screen: Screen::new(size, start.theme.as_ref()),
            feeds: Vec::new(),
            queue: Queue::new(session),
            typing: None,
            resizes: Resizes::new(size),
            resized_at: wire::Seq::ZERO,
            // Until there is a spool: what fits nowhere goes, and is said.
            flow: Flow::new(Policy::Gap),
            hold: Hold::new(),
            recording: if start.record { Recording::On } else { Recording::Off },
            exit: None,
            over: None,
            ending: None,
            ended: None,
            hung_up: None,
            nothing_read: 0,
            unread_until: None,
            full_until: None,
            finish: None,
            finishing: false,
            reap: Reap::new(now),
            viewers: HashSet::new(),
            start,
        };
        state.mark(MarkKind::Start { cols: size.cols, rows: size.rows });
        state
    }

    /// Takes output.
    pub(super) fn on_output(&mut self, bytes: &[u8]) {
        let at_ms = now_ms();
        if let Some(evicted) = self.ring.push(bytes, at_ms) {
            self.marks.on_evicted(evicted);
        }
        let end = self.ring.end();
        if !self.start.record {
            self.ring.on_durable(end);
        }
        self.handle.end.store(end.0, Ordering::Relaxed);
        let changed = self.screen.feed(bytes);
        while let Some(answer) = self.screen.poll_answer() {
            self.queue.answer(answer);
        }
        if !self.feeds.is_empty() {
            let bytes = Bytes::copy_from_slice(bytes);
            for feed in &mut self.feeds {
                feed.on_output(end, at_ms, bytes.clone());
            }
        }
        let session = self.handle.session;
        if changed.modes {
            self.tell_in_order(&HostEvent::Modes { session, modes: self.screen.modes() });
        }
        if changed.title {
            let title = self.screen.title().unwrap_or_default().to_owned();
            self.tell_in_order(&HostEvent::Title { session, title });
        }
        self.tell_recording();
    }

    /// Notes a mark at the end of the output and tells it.
    pub(super) fn mark(&mut self, kind: MarkKind) {
        let mark = self.marks.push(self.ring.end(), now_ms(), kind);
        self.tell_mark(&mark);
    }

    /// Ends a gap that grew, before somebody reads or attaches.
    pub(super) fn close_gap(&mut self) {
        if let Some(mark) = self.marks.close_gap(self.ring.end(), now_ms()) {
            self.tell_mark(&mark);
        }
    }

    fn tell_mark(&self, mark: &Mark) {
        self.feeds.iter().for_each(|feed| feed.on_mark(mark));
    }

    /// Tells all cores, where it stands in the output.
    pub(super) fn tell_in_order(&self, event: &HostEvent) {
        self.feeds.iter().for_each(|feed| feed.push(Frame::event(event.clone())));
    }

    /// Tells all cores at once.
    pub(super) fn tell(&self, event: &HostEvent) {
        self.feeds.iter().for_each(|feed| feed.urgent(event.clone()));
    }

    pub(super) fn tell_recording(&mut self) {
        let recording = if !self.start.record {
            Recording::Off
        } else if self.marks.has_open_gap() {
            Recording::Gap
        } else if self.ring.undurable_bytes() > pane::flow::WAIT_ABOVE_BYTES {
            Recording::Behind
        } else {
            Recording::On
        };
        if recording != self.recording {
            self.recording = recording;
            self.tell(&HostEvent::Recording { session: self.handle.session, recording });
        }
    }

    /// Tells how the lease stands, when that has changed, and drops what a former holder typed.
    pub(super) fn settle_lease(&mut self, now: Instant) {
        if !self.lease().take_changed() {
            return;
        }
        let session = self.handle.session;
        let holder: Option<By> = self.start.lease.holder().cloned();
        let typing = holder.as_ref().map(|by| (by.caller, by.viewer));
        if typing != self.typing {
            self.typing = typing;
            let refused = self.queue.keep_only(holder.as_ref(), now);
            refused.iter().for_each(|event| self.tell(event));
        }
        self.tell(&HostEvent::Lease { session, lease: self.start.lease.facts(now) });
    }

    pub(super) fn lease(&mut self) -> &mut Lease {
        &mut self.start.lease
    }

    /// Until when the terminal is not read; none: read it. `Some(None)`: until something happens.
    pub(super) fn waits(&mut self, now: Instant) -> Option<Option<Instant>> {
        if self.finishing {
            return Some(None);
        }
        if let Some(until) = self.unread_until {
            return Some(Some(until));
        }
        // What a program printed before it ended is read whatever the record says.
        if self.exit.is_some() {
            return None;
        }
        if let Some(until) = self.hold.poll(self.ring.end(), now) {
            return Some(Some(until));
        }
        match self.flow.poll(self.ring.undurable_bytes(), Spool::None, now) {
            Step::Read | Step::Spill => None,
            Step::Wait(until) => Some(until),
        }
    }

    /// Nobody has the terminal open.
    pub(super) fn on_hangup(&mut self, now: Instant) {
        self.hung_up = Some(now + HUNG_UP);
    }

    /// There was nothing to read although it was said that there is: once is chance. One that was
    /// closed by all and opened again is said to be ready for ever.
    pub(super) fn on_nothing_read(&mut self, now: Instant) {
        self.nothing_read += 1;
        if self.nothing_read > 2 {
            self.unread_until = Some(now + REOPENED);
        }
    }

    /// Everything was read: says how the program ended.
    pub(super) fn on_over(&mut self, exit: Exit, now: Instant) {
        self.pty = None;
        self.trace.tty = None;
        self.over = Some(now);
        self.close_gap();
        self.mark(MarkKind::Exit { exit });
        let (session, seq) = (self.handle.session, self.ring.end());
        self.tell_in_order(&HostEvent::Exited { session, exit, seq });
    }

    /// Whether a recorder has everything, or nobody wants it recorded.
    pub(super) fn is_stored(&self) -> bool {
        !self.start.record || (self.ring.undurable_bytes() == 0 && self.marks.is_durable())
    }

    /// Tells the host that waits for it that all is stored.
    pub(super) fn settle_finish(&mut self) {
        if self.finishing
            && self.is_stored()
            && let Some(finish) = self.finish.take()
            && finish.send(()).is_err()
        {
            tracing::debug!("the host no longer waits for the record");
        }
    }

    /// The look once a minute.
    pub(super) fn look(&mut self, cpu_percent: u32, core: bool, now: Instant) -> Look {
        if let Some(over) = self.over {
            let waited = now.saturating_duration_since(over) >= super::task::FORGET_AFTER;
            let unwatched = self.viewers.is_empty();
            return if waited && unwatched && self.is_stored() { Look::Forget } else { Look::Keep };
        }
        let facts = Facts {
            end: self.ring.end(),
            watched: !self.viewers.is_empty(),
            cpu_percent,
            core,
            resumable: self.start.resumable,
        };
        if self.reap.on_look(facts, now) { Look::End } else { Look::Keep }
    }

    /// As everybody may know it.
    pub(super) fn facts(&self, now: Instant) -> SessionFacts {
        let Size { cols, rows, .. } = self.resizes.size();
        SessionFacts {
            session: self.handle.session,
            profile: self.start.profile.clone(),
            command: self.start.command.clone(),
            args: self.start.args.clone(),
            cwd: self.start.cwd.clone(),
            pid: self.exit.is_none().then_some(self.trace.leader),
            exit: self.over.and(self.exit),
            cols,
            rows,
            started_at_ms: self.started_at_ms,
            ring_from: self.ring.from(),
            end: self.ring.end(),
            durable: self.ring.durable(),
            mark: self.marks.last(),
            resized_at: self.resized_at,
            title: self.screen.title().map(str::to_owned),
            lease: self.start.lease.facts(now),
            modes: self.screen.modes(),
        }
    }
}

/// The wall clock, in milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
