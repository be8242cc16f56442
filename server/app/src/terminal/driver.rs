//! One viewer's parts, and what each of them is told when something happens. Nothing here waits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream::FuturesUnordered;
use pane::pace::Pace;
use pane::viewer::Viewer;
use wire::browser::ServerMessage;
use wire::host::By;
use wire::{Seq, SessionId};
use ws::{Close, CloseCode, Codec, ControlPayload, Event, Frame};

use super::alive::{Alive, Due};
use super::ears::{Ears, WaitsFor};
use super::out::Out;
use super::said::{Act, Said, Speaker, Way};
use super::socket::Opening;
use super::telling::{Next, Teller, Told};
use crate::clock::Clock;
use crate::hub::frame::Encoding;
use crate::hub::hub::{End, Hub, Watching};

/// Bytes gathered for one write: a frame, with whatever small stands before it.
const GATHER_BYTES: usize = 8 * 1024;
/// Messages a viewer may send at once, and how fast they come back: ten times what hands can do.
const MESSAGES: (u32, Duration) = (512, Duration::from_millis(1));
/// Acts that may wait for the host.
const ACTS: usize = 64;

/// Another socket of the same viewer took over: do not reconnect.
const SUPERSEDED: u16 = 4001;
/// The sign-in ended.
const SIGNED_OUT: u16 = 4003;
/// The session is gone with its host.
const SESSION_LOST: u16 = 4010;

/// One viewer's parts.
pub(super) struct Driver {
    viewer: Viewer,
    pub(super) watching: Watching,
    pub(super) ears: Ears,
    told: Told,
    /// The number of the news that were last looked at.
    heard_news: Option<u64>,
    teller: Teller,
    speaker: Speaker,
    by: By,
    read_only: bool,
    clock: Clock,
    pub(super) codec: Codec,
    pub(super) out: Out,
    /// Whether `ready`, or `session_replaced`, was said: nothing comes before it.
    greeted: bool,
    /// Answers the other end's last ping.
    pong: Option<ControlPayload>,
    pub(super) acts: FuturesUnordered<Act>,
    alive: Alive,
    pace: Pace,
    /// Whether something it said may wait in the codec.
    pub(super) unheard: bool,
    /// Not heard before then: it sends too much.
    read_after: Option<Instant>,
    /// How it is to end.
    pub(super) close: Option<Close>,
}

impl Driver {
    pub(super) fn new(opening: Opening, clock: Clock) -> Option<Self> {
        let Opening { by, read_only, has, hidden, acks, encoding, codec, hub, early } = opening;
        let now = clock.now();
        let watching = hub.enter(&by, read_only, !hidden)?;
        let viewer = Viewer::new(has, now);
        let mut viewer = if acks { viewer } else { viewer.without_acks() };
        viewer.on_visible(!hidden);
        let mut driver = Self {
            viewer,
            ears: Ears::new(&watching),
            watching,
            told: Told::default(),
            heard_news: None,
            teller: Teller::new(by.viewer, read_only, encoding, codec.takes_deflated()),
            speaker: Speaker::new(by.clone(), read_only),
            by,
            read_only,
            clock,
            codec,
            out: Out::default(),
            greeted: false,
            pong: None,
            acts: FuturesUnordered::new(),
            alive: Alive::new(now),
            pace: Pace::new(MESSAGES.0, MESSAGES.1, now),
            unheard: false,
            read_after: None,
            close: None,
        };
        driver.on_bytes(&early);
        Some(driver)
    }

    /// Gathers what can be sent now, one write of it. Answers when to look again at the latest.
    pub(super) fn gather(&mut self, now: Instant) -> (Instant, WaitsFor) {
        let deadline = self.alive.deadline();
        let wake = self.read_after.map_or(deadline, |after| deadline.min(after));
        self.on_news(now);
        while self.out.bytes() < GATHER_BYTES {
            if let Some(pong) = self.pong.take() {
                self.out.push(Frame::pong(pong));
            }
            if let Some(message) = self.slot() {
                self.out.push(Teller::message(&message));
                continue;
            }
            match self.teller.next(&mut self.viewer, self.watching.hub(), now) {
                Next::Frames(frames) => frames.into_iter().for_each(|frame| self.out.push(frame)),
                Next::Greeted(frame) => {
                    self.out.push(frame);
                    self.greeted = true;
                    self.on_news(now);
                }
                Next::Ping { seq, n } => {
                    let payload = ack_payload(self.viewer.stream(), n, seq);
                    self.out.push(Frame::ping(payload));
                }
                Next::Join(scope) => self.watching.hub().want(scope),
                Next::Nothing { until, behind } => {
                    self.close_if_lost();
                    let waits_for = match (self.out.is_empty(), behind) {
                        (false, _) => WaitsFor::Socket,
                        (true, true) => WaitsFor::Window,
                        (true, false) => WaitsFor::Output,
                    };
                    return (until.map_or(wake, |until| wake.min(until)), waits_for);
                }
            }
        }
        (wake, WaitsFor::Socket)
    }

    /// Puts what is new of the session into the mailbox, once it may be told.
    fn on_news(&mut self, now: Instant) {
        if *self.ears.mail.borrow() {
            self.close_with(CloseCode::new(SUPERSEDED).unwrap_or(CloseCode::POLICY), "");
        }
        // Read before the state: a change after that is another number.
        let news = Some(*self.ears.news.borrow());
        if self.greeted && (self.heard_news != news || self.told.owes_end()) {
            self.heard_news = news;
            let end = self.watching.hub().tail().span().to;
            let drawn = self.viewer.sent() >= end && !self.viewer.is_drawing();
            let has_all = drawn || self.viewer.is_hidden();
            self.told.on_news(&self.watching, self.by.viewer, has_all, now);
        }
    }

    /// The next thing to tell besides output, where it may come.
    fn slot(&self) -> Option<ServerMessage> {
        let mut slots = self.watching.mailbox().slots();
        if self.viewer.is_drawing() {
            return slots.pop_pong();
        }
        if self.greeted { slots.pop() } else { None }
    }

    /// A session that is gone has been told as such; then there is nothing more to say.
    fn close_if_lost(&mut self) {
        let lost = self.watching.hub().look().end() == Some(End::Lost);
        if lost && self.greeted && self.close.is_none() {
            let code = CloseCode::new(SESSION_LOST).unwrap_or(CloseCode::POLICY);
            self.close_with(code, "the session is gone with its host");
        }
    }

    /// The session that has taken this one's place, if one has.
    pub(super) fn moved(&self) -> Option<SessionId> {
        match self.watching.hub().look().end() {
            Some(End::Replaced(session)) => Some(session),
            Some(End::Lost) | None => None,
        }
    }

    /// Goes on with another session. False when its hub has closed already.
    pub(super) fn move_to(&mut self, hub: &Arc<Hub>, now: Instant) -> bool {
        let visible = !self.viewer.is_hidden();
        let Some(watching) = hub.enter(&self.by, self.read_only, visible) else { return false };
        self.ears = Ears::new(&watching);
        self.watching = watching;
        (self.told, self.heard_news, self.greeted) = (Told::default(), None, false);
        self.viewer.on_replaced(now);
        true
    }

    /// Whether more of what the viewer says may be taken now: not while it sends too much, has
    /// too many refusals coming, or too many acts wait for the host.
    pub(super) fn may_hear(&mut self, now: Instant) -> bool {
        self.read_after = self.read_after.filter(|after| now < *after);
        let slots = self.watching.mailbox().slots();
        self.read_after.is_none() && slots.takes_input() && self.acts.len() < ACTS
    }

    pub(super) fn on_bytes(&mut self, bytes: &[u8]) {
        if self.alive.on_heard() {
            self.watching.set_heard(true);
        }
        self.codec.on_bytes(bytes);
        self.unheard = true;
    }

    /// Takes what the viewer has said, as far as it may; the rest waits in the codec.
    pub(super) fn hear(&mut self, now: Instant) {
        while self.unheard && self.close.is_none() && self.may_hear(now) {
            self.read_after = self.pace.take(1, now);
            if self.read_after.is_some() {
                return;
            }
            match self.codec.poll_event() {
                None => self.unheard = false,
                Some(Err(error)) => self.close = Some(Close::from(error)),
                Some(Ok(event)) => self.on_event(event),
            }
        }
    }

    fn on_event(&mut self, event: Event) {
        let client = self.watching.hub().client();
        let way = Way {
            session: self.watching.hub().session(),
            client: client.as_ref(),
            visible: !self.viewer.is_hidden(),
        };
        let said = match event {
            Event::Text(text) => self.speaker.on_text(&text, way),
            Event::Binary(bytes) if self.teller.encoding == Encoding::Binary => {
                self.speaker.on_binary(&bytes, way)
            }
            Event::Binary(_) => self.speaker.nonsense("binary, on a socket of text"),
            Event::Ping(payload) => {
                self.pong = Some(payload);
                Said::Done
            }
            Event::Pong(payload) => match acked(&payload) {
                Some((stream, n, seq)) => Said::Ack { stream, seq, n: Some(n) },
                None => Said::Done,
            },
            Event::Close(close) => {
                self.close = Some(close.reply());
                Said::Done
            }
        };
        self.on_said(said);
    }

    fn on_said(&mut self, said: Said) {
        match said {
            Said::Done => {}
            Said::Tell(message) => {
                self.watching.mailbox().put(message);
                if self.watching.mailbox().slots().is_overrun() {
                    self.close_with(CloseCode::POLICY, "too much was refused");
                }
            }
            Said::Act(act) => self.acts.push(act),
            Said::Ack { stream, seq, n } => {
                if let Err(error) =
                    self.viewer.on_ack(stream, seq, n.filter(|n| *n > 0), self.clock.now())
                {
                    self.close_with(CloseCode::POLICY, &error.to_string());
                }
            }
            Said::Visible(visible) => {
                self.viewer.on_visible(visible);
                self.watching.set_visible(visible);
            }
            Said::Resync => self.viewer.on_resync(),
            Said::Enough => self.close_with(CloseCode::POLICY, "nothing but nonsense"),
        }
    }

    /// Time has passed.
    pub(super) fn on_time(&mut self, now: Instant) -> Due {
        let outstanding = self.viewer.has_unparsed() || !self.out.is_empty();
        let due = self.alive.poll(outstanding, now);
        match due {
            Due::Nothing | Due::Dead => {}
            // What cannot be written cannot be answered either.
            Due::Ping | Due::Silent if !self.out.is_empty() => {}
            Due::Ping | Due::Silent => self.out.push(Frame::ping(ControlPayload::default())),
        }
        if due == Due::Silent {
            self.watching.set_heard(false);
        }
        due
    }

    pub(super) fn close_with(&mut self, code: CloseCode, reason: &str) {
        self.close.get_or_insert_with(|| Close::new(code, reason));
    }
}

pub(super) fn signed_out() -> CloseCode {
    CloseCode::new(SIGNED_OUT).unwrap_or(CloseCode::POLICY)
}

/// The payload of a ping whose pong acknowledges.
fn ack_payload(stream: u32, n: u32, seq: Seq) -> ControlPayload {
    let mut payload = Vec::with_capacity(16);
    payload.extend_from_slice(&stream.to_be_bytes());
    payload.extend_from_slice(&n.to_be_bytes());
    payload.extend_from_slice(&seq.0.to_be_bytes());
    Bytes::from(payload).try_into().unwrap_or_default()
}

/// What a pong acknowledges: stream, snapshot, offset.
fn acked(payload: &[u8]) -> Option<(u32, u32, Seq)> {
    let (stream, rest) = payload.split_first_chunk::<4>()?;
    let (n, rest) = rest.split_first_chunk::<4>()?;
    let seq: [u8; 8] = rest.try_into().ok()?;
    Some((u32::from_be_bytes(*stream), u32::from_be_bytes(*n), Seq(u64::from_be_bytes(seq))))
}
