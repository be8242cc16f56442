//! The driver of one viewer's socket: a task that holds no rule.
//!
//! It writes what [`Teller`] makes, reads what [`Speaker`] judges, and waits for whatever may
//! change either. It watches states, never one-time signals: whatever happened while it was busy
//! it finds when it looks. After every write it lets others run, or a flood to one viewer would
//! keep a key of another waiting.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use pane::pace::Pace;
use pane::viewer::Viewer;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use wire::browser::ServerMessage;
use wire::host::By;
use wire::{Seq, SessionId};
use ws::{Close, CloseCode, Codec, ControlPayload, Event, Frame};

use super::alive::{Alive, Due};
use super::out::Out;
use super::said::{Act, Said, Speaker, Way};
use super::telling::{Next, Teller, Told};
use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::frame::Encoding;
use crate::hub::hub::{End, Hub, Watching};
use crate::shutdown::Shutdown;

/// Bytes gathered for one write: a frame, with whatever small stands before it.
const GATHER_BYTES: usize = 8 * 1024;
/// What is read at once. Small: it is there for as long as the viewer.
const READ_BYTES: usize = 4 * 1024;
/// Messages a viewer may send at once, and how fast they come back: ten times what hands can do.
const MESSAGES: (u32, Duration) = (512, Duration::from_millis(1));
/// Acts that may wait for the host.
const ACTS: usize = 64;
/// How long the other end may take to answer a close.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// Another socket of the same viewer took over: do not reconnect.
const SUPERSEDED: u16 = 4001;
/// The sign-in ended.
const SIGNED_OUT: u16 = 4003;
/// The session is gone with its host.
const SESSION_LOST: u16 = 4010;
/// A viewer that is behind is not helped by more output: it looks again only so often.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Finds the hub of a session that replaced another.
pub(super) type Reopen =
    Box<dyn Fn(SessionId) -> BoxFuture<'static, Result<Arc<Hub>, ApiError>> + Send>;

/// What a socket is opened with.
pub(super) struct Opening {
    /// Who it is.
    pub(super) by: By,
    /// Watching only.
    pub(super) read_only: bool,
    /// Of the session's output it has everything before this.
    pub(super) has: Option<Seq>,
    /// Its pane cannot be seen yet.
    pub(super) hidden: bool,
    /// It says what it has parsed.
    pub(super) acks: bool,
    pub(super) encoding: Encoding,
    pub(super) codec: Codec,
    pub(super) hub: Arc<Hub>,
    /// Bytes that came with the request.
    pub(super) early: Bytes,
}

/// What may end a socket from outside, and where another session is found.
pub(super) struct Around {
    pub(super) clock: Clock,
    pub(super) shutdown: Shutdown,
    /// Resolves when whoever opened it is no longer signed in.
    pub(super) signed_out: BoxFuture<'static, ()>,
    pub(super) reopen: Reopen,
}

/// Serves a socket until it ends.
///
/// # Errors
///
/// When the socket fails, or nobody is there any more.
pub(super) async fn run<S>(socket: S, opening: Opening, mut around: Around) -> std::io::Result<()>
where
    S: AsyncRead + AsyncWrite,
{
    let (mut read, mut write) = tokio::io::split(socket);
    let Some(mut driver) = Driver::new(opening, around.clock) else {
        // It was closed between its opening and now: the viewer comes again.
        return Ok(());
    };
    let mut said = vec![0; READ_BYTES].into_boxed_slice();
    let shutdown = around.shutdown.clone();
    let mut stopping = pin!(shutdown.begun());
    loop {
        if let Some(close) = driver.close.take() {
            return finish(&mut read, &mut write, &mut driver, &close).await;
        }
        if let Some(session) = driver.moved() {
            match (around.reopen)(session).await {
                Ok(hub) if driver.move_to(&hub, around.clock.now()) => {}
                Ok(_) | Err(_) => driver.close_with(CloseCode::GOING_AWAY, "open it anew"),
            }
            continue;
        }
        let now = around.clock.now();
        driver.hear(now);
        if driver.on_time(now) == Due::Dead {
            return Ok(());
        }
        let (wake, waits_for) = driver.gather(now);
        let may_read = !driver.unheard && driver.may_hear(now);
        // What is rare comes first: in a flood what follows is always ready.
        tokio::select! {
            biased;
            () = &mut stopping => driver.close_with(CloseCode::GOING_AWAY, "the core stops"),
            () = &mut around.signed_out => driver.close_with(signed_out(), ""),
            length = read.read(&mut said), if may_read => {
                let length = length?;
                if length == 0 {
                    return Ok(());
                }
                driver.on_bytes(said.get(..length).unwrap_or_default());
            }
            length = async { write.write_vectored(&driver.out.slices()).await },
                if !driver.out.is_empty() =>
            {
                match length? {
                    0 => return Ok(()),
                    length => driver.out.on_written(length),
                }
                tokio::task::yield_now().await;
            }
            () = driver.ears.wait(waits_for) => {}
            Some(told) = driver.acts.next() => {
                if let Some(told) = told {
                    driver.watching.mailbox().put(told);
                }
            }
            () = tokio::time::sleep_until(wake.into()) => {}
        }
    }
}

/// Writes what waits and the close, then reads until the other end has closed too.
async fn finish(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
    driver: &mut Driver,
    close: &Close,
) -> std::io::Result<()> {
    if let Some(frame) = driver.codec.close(close) {
        driver.out.push(frame);
    }
    let ending = async {
        while !driver.out.is_empty() {
            let written = write.write_vectored(&driver.out.slices()).await?;
            if written == 0 {
                return Ok(());
            }
            driver.out.on_written(written);
        }
        write.shutdown().await?;
        let mut rest = [0; 512];
        while read.read(&mut rest).await? > 0 {}
        Ok(())
    };
    tokio::time::timeout(CLOSE_WITHIN, ending).await.unwrap_or(Ok(()))
}

/// One viewer's parts.
struct Driver {
    viewer: Viewer,
    watching: Watching,
    ears: Ears,
    told: Told,
    /// The number of the news that were last looked at.
    heard_news: Option<u64>,
    teller: Teller,
    speaker: Speaker,
    by: By,
    read_only: bool,
    clock: Clock,
    codec: Codec,
    out: Out,
    /// Whether `ready`, or `session_replaced`, was said: nothing comes before it.
    greeted: bool,
    /// Answers the other end's last ping.
    pong: Option<ControlPayload>,
    acts: FuturesUnordered<Act>,
    alive: Alive,
    pace: Pace,
    /// Whether something it said may wait in the codec.
    unheard: bool,
    /// Not heard before then: it sends too much.
    read_after: Option<Instant>,
    /// How it is to end.
    close: Option<Close>,
}

/// What a driver watches.
struct Ears {
    end: watch::Receiver<Seq>,
    news: watch::Receiver<u64>,
    mail: watch::Receiver<bool>,
}

impl Ears {
    fn new(watching: &Watching) -> Self {
        Self {
            end: watching.hub().tail().watch(),
            news: watching.hub().watch(),
            mail: watching.mailbox().watch(),
        }
    }

    /// Waits for anything new that matters. What is new already is noticed at once.
    async fn wait(&mut self, waits_for: WaitsFor) {
        let end = &mut self.end;
        // None of them closes while the viewer watches.
        let output = async {
            match waits_for {
                WaitsFor::Output => drop(end.changed().await),
                WaitsFor::Window => {
                    drop(end.changed().await);
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                WaitsFor::Socket => std::future::pending().await,
            }
        };
        tokio::select! {
            _new = self.news.changed() => {}
            _new = self.mail.changed() => {}
            () = output => {}
        }
    }
}

/// What a viewer is held up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitsFor {
    /// It has everything.
    Output,
    /// It has not parsed what it was sent.
    Window,
    /// The socket takes no more.
    Socket,
}

impl Driver {
    fn new(opening: Opening, clock: Clock) -> Option<Self> {
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
    fn gather(&mut self, now: Instant) -> (Instant, WaitsFor) {
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
    fn moved(&self) -> Option<SessionId> {
        match self.watching.hub().look().end() {
            Some(End::Replaced(session)) => Some(session),
            Some(End::Lost) | None => None,
        }
    }

    /// Goes on with another session. False when its hub has closed already.
    fn move_to(&mut self, hub: &Arc<Hub>, now: Instant) -> bool {
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
    fn may_hear(&mut self, now: Instant) -> bool {
        self.read_after = self.read_after.filter(|after| now < *after);
        let slots = self.watching.mailbox().slots();
        self.read_after.is_none() && slots.takes_input() && self.acts.len() < ACTS
    }

    fn on_bytes(&mut self, bytes: &[u8]) {
        if self.alive.on_heard() {
            self.watching.set_heard(true);
        }
        self.codec.on_bytes(bytes);
        self.unheard = true;
    }

    /// Takes what the viewer has said, as far as it may; the rest waits in the codec.
    fn hear(&mut self, now: Instant) {
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
    fn on_time(&mut self, now: Instant) -> Due {
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

    fn close_with(&mut self, code: CloseCode, reason: &str) {
        self.close.get_or_insert_with(|| Close::new(code, reason));
    }
}

fn signed_out() -> CloseCode {
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
