//! What a session does when it is asked, and when time has passed.

use std::time::{Duration, Instant};

use link::Frame;
use pane::lease::Refusal;
use rustix::process::Signal;
use wire::browser::{Recording, Scope};
use wire::host::{By, HostEvent, JoinHead, LeaseAction, MarkKind, Reply, Request};
use wire::{ErrorBody, ErrorCode, Seq, limits};

use super::feed::{Feed, send_parts};
use super::state::State;
use super::{Command, Conn, Look, next_handle};
use crate::ending::{self, Whom};
use crate::pty::Size;

/// ETX: what Ctrl-C types.
const CTRL_C: u8 = 3;
/// Output that a join replays while there is no screen to send.
const REPLAY_BYTES: u64 = 1024 * 1024;
/// How far into it a line end is looked for, to begin after.
const LINE_BYTES: usize = 4096;
/// A terminal that took nothing although it was said to is asked again after this.
const FULL: Duration = Duration::from_millis(10);
/// Viewers a session remembers to be watching.
const VIEWERS: usize = 1024;

type Answer = Result<Reply, ErrorBody>;

impl State {
    /// Does what is asked; false when the session is to be forgotten.
    pub(super) fn on_command(&mut self, command: Command, now: Instant) -> bool {
        match command {
            Command::Request { conn, id, request } => {
                return self.on_request(&conn, id, request, now);
            }
            Command::Input { head, bytes } => {
                self.watch(&head.by);
                let event = if self.exit.is_some() {
                    Some(self.queue.refuse_ended(&head, now))
                } else {
                    self.queue.offer(&mut self.start.lease, head, bytes, now)
                };
                self.settle_lease(now);
                if let Some(event) = event {
                    self.tell(&event);
                }
            }
            Command::Gone { conn } => self.drop_feed(conn, now),
            // Whoever asked and has gone needs no answer.
            Command::Facts(done) => drop(done.send(self.facts(now))),
            Command::HandOver(done) => drop(done.send(self.start.lease.handed_over())),
            Command::Look { cpu_percent, core, done } => {
                let look = self.look(cpu_percent, core, now);
                if done.send(look).is_err() {
                    tracing::debug!("nobody waits for what a look found");
                }
                if look == Look::End {
                    self.terminate(None);
                }
                return look != Look::Forget;
            }
            Command::Finish(done) => {
                self.finishing = true;
                self.finish = Some(done);
                self.settle_finish();
            }
            Command::AllEnded(left_over) => self.ended = Some(left_over),
        }
        true
    }

    fn on_request(&mut self, conn: &Conn, id: u32, request: Request, now: Instant) -> bool {
        let answer = match request {
            Request::Took { seq, .. } => {
                self.feeds
                    .iter_mut()
                    .filter(|feed| feed.conn == conn.id)
                    .for_each(|feed| feed.on_took(seq));
                return true;
            }
            Request::Durable { seq, mark, .. } => {
                self.ring.on_durable(seq);
                self.marks.on_durable(mark);
                self.tell_recording();
                self.settle_finish();
                return true;
            }
            Request::Attach { after_seq, after_mark, .. } => {
                match self.attach(conn, id, after_seq, after_mark, now) {
                    Ok(()) => return true,
                    Err(error) => Err(error),
                }
            }
            Request::Join { scope, .. } => match self.join(conn, id, scope) {
                Ok(()) => return true,
                Err(error) => Err(error),
            },
            Request::Read { from, after_mark, max_bytes, .. } => {
                match self.read(conn, id, from, after_mark, max_bytes) {
                    Ok(()) => return true,
                    Err(error) => Err(error),
                }
            }
            Request::Terminate { .. } => {
                self.terminate(Some((conn.clone(), id)));
                return true;
            }
            Request::Reap { .. } if self.over.is_some() => {
                conn.answer(id, Ok(Reply::Done));
                return false;
            }
            Request::Reap { .. } => {
                Err(ErrorBody::new(ErrorCode::Conflict, "the session has not ended"))
            }
            Request::Inspect { .. } => Ok(Reply::Session(Box::new(self.facts(now)))),
            Request::Detach { .. } => {
                self.drop_feed(conn.id, now);
                Ok(Reply::Done)
            }
            Request::Recorder { on, .. } => {
                self.start.record = on;
                if !on {
                    self.ring.on_durable(self.ring.end());
                }
                self.tell_recording();
                self.settle_finish();
                Ok(Reply::Done)
            }
            Request::Hold { parsed, .. } => {
                self.hold.on_hold(parsed, self.ring.end(), now);
                Ok(Reply::Done)
            }
            // For the terminal model, which will answer programs that ask.
            Request::Theme { .. } => Ok(Reply::Done),
            Request::Interrupt { by, epoch, .. } => self.interrupt(&by, epoch, now),
            Request::Resize { by, cols, rows, cell, .. } => {
                self.resize(&by, Size { cols, rows, cell }, now)
            }
            Request::Control { by, action, .. } => self.control(&by, action, now),
            Request::Signal { signal, .. } => self.signal(signal),
            Request::Hello(_)
            | Request::List
            | Request::Spawn(_)
            | Request::Input(_)
            | Request::Profiles
            | Request::Folder { .. }
            | Request::Ping
            | Request::Unknown => Err(ErrorBody::new(ErrorCode::Unsupported, "not of a session")),
        };
        conn.answer(id, answer);
        true
    }

    fn attach(
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

    fn join(&mut self, conn: &Conn, id: u32, _wanted: Scope) -> Result<(), ErrorBody> {
        let Some(feed) = self.feeds.iter().find(|feed| feed.conn == conn.id) else {
            return Err(ErrorBody::new(ErrorCode::Conflict, "attach before you join"));
        };
        let end = self.ring.end();
        let mut from = end.back(REPLAY_BYTES).max(self.ring.from());
        if from > Seq::ZERO {
            let start = self.ring.since(from, LINE_BYTES).unwrap_or_default().concat();
            let line = start.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            from = from.advance(u64::try_from(line).unwrap_or(0));
        }
        let bytes = end.bytes_since(from);
        let slices = self.ring.since(from, usize::try_from(bytes).unwrap_or(0)).unwrap_or_default();
        let Size { cols, rows, .. } = self.resizes.size();
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let modes = self.screen.modes();
        let head = JoinHead { seq: end, cols, rows, scope: Scope::Replay, from, bytes, modes };
        feed.on_join(id, head, &slices);
        Ok(())
    }

    fn read(
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

    fn interrupt(&mut self, by: &By, epoch: u32, now: Instant) -> Answer {
        self.watch(by);
        let Some(pty) = self.pty.clone().filter(|_| self.exit.is_none()) else {
            return Err(ErrorBody::new(ErrorCode::Exited, "the program has ended"));
        };
        let admitted = self.start.lease.admit(by, epoch, now).map_err(|why| refused(&why));
        self.settle_lease(now);
        admitted?;
        let deaf = pty.is_deaf();
        let events = self.queue.interrupt((!deaf).then_some(CTRL_C), now);
        events.iter().for_each(|event| self.tell(event));
        if deaf && let Err(error) = pty.interrupt() {
            return Err(ErrorBody::new(ErrorCode::Internal, format!("no interrupt: {error}")));
        }
        Ok(Reply::Done)
    }

    fn resize(&mut self, by: &By, size: Size, now: Instant) -> Answer {
        self.watch(by);
        self.start.lease.check(by, now).map_err(|why| refused(&why))?;
        if self.exit.is_some() {
            return Err(ErrorBody::new(ErrorCode::Exited, "the program has ended"));
        }
        self.resizes.on_resize(size, &by.name);
        self.apply_resize(now);
        Ok(Reply::Session(Box::new(self.facts(now))))
    }

    fn apply_resize(&mut self, now: Instant) {
        let Some(pty) = self.pty.clone() else { return };
        let Some((size, by)) = self.resizes.poll(now) else { return };
        if let Err(error) = pty.resize(size) {
            tracing::warn!(session = %self.handle.session, %error, "the size could not be set");
        }
        self.resized_at = self.ring.end();
        self.mark(MarkKind::Resize { cols: size.cols, rows: size.rows, by });
    }

    fn control(&mut self, by: &By, action: LeaseAction, now: Instant) -> Answer {
        self.watch(by);
        let lease = &mut self.start.lease;
        let done = match action {
            LeaseAction::Acquire => lease.acquire(by, now),
            LeaseAction::Renew => lease.renew(by, now),
            LeaseAction::Release => lease.release(by, now),
            LeaseAction::Take => lease.take(by, now),
            LeaseAction::Request => lease.request(by, now),
            LeaseAction::Give => lease.give(by, now),
            LeaseAction::Gone => {
                lease.on_gone(by, now);
                self.queue.on_gone(by, now);
                self.viewers.remove(&(by.caller, by.viewer));
                Ok(())
            }
            LeaseAction::Back => {
                lease.on_back(by, now);
                self.queue.on_back(by, now);
                Ok(())
            }
        };
        self.settle_lease(now);
        done.map_err(|why| refused(&why))?;
        Ok(Reply::Lease(self.start.lease.facts(now)))
    }

    fn signal(&self, number: i32) -> Answer {
        let signal = Signal::from_named_raw(number);
        let group = self.pty.as_ref().and_then(|pty| pty.foreground());
        let Some((signal, group)) = signal.zip(group) else {
            return Err(ErrorBody::new(
                ErrorCode::BadMessage,
                "no such signal, or nobody to get it",
            ));
        };
        if group.as_raw_nonzero().get() <= 1 {
            return Err(ErrorBody::new(ErrorCode::Conflict, "nothing runs in the foreground"));
        }
        rustix::process::kill_process_group(group, signal)
            .map_err(|error| ErrorBody::new(ErrorCode::Internal, error.to_string()))?;
        Ok(Reply::Done)
    }

    /// Ends every process of the session; whoever waits is answered when that is verified.
    fn terminate(&mut self, waiter: Option<(Conn, u32)>) {
        if let Some(waiters) = &mut self.ending {
            waiters.extend(waiter);
            return;
        }
        self.ending = Some(waiter.into_iter().collect());
        self.ended = None;
        let whom = Whom::Session(self.trace.clone(), self.pty.clone());
        let myself = self.handle.weak();
        tokio::spawn(async move {
            let left_over = ending::end(whom).await;
            if let Some(myself) = myself.upgrade()
                && myself.send(Command::AllEnded(left_over)).await.is_err()
            {
                tracing::debug!("a session was forgotten while it ended");
            }
        });
    }

    /// Answers those who wait for the end, once the program's exit was said too.
    pub(super) fn settle_ending(&mut self) {
        let left = self.ended.as_ref().is_some_and(|left_over| !left_over.is_empty());
        if self.over.is_none() && !left {
            return;
        }
        let Some(left_over) = self.ended.take() else { return };
        for (conn, id) in self.ending.take().unwrap_or_default() {
            conn.answer(id, Ok(Reply::Terminated { left_over: left_over.clone() }));
        }
    }

    /// Somebody acts, so somebody watches.
    fn watch(&mut self, by: &By) {
        if self.viewers.len() < VIEWERS {
            self.viewers.insert((by.caller, by.viewer));
        }
    }

    /// A connection no longer follows; with the last one its viewers are gone, as far as is known.
    fn drop_feed(&mut self, conn: u64, now: Instant) {
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

    /// Does what time asks for.
    pub(super) fn on_time(&mut self, now: Instant) {
        self.start.lease.on_time(now);
        self.queue.on_time(now);
        self.settle_lease(now);
        self.apply_resize(now);
        self.hung_up = self.hung_up.filter(|again| now < *again);
        self.full_until = self.full_until.filter(|again| now < *again);
    }

    /// When [`State::on_time`] has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let resize = self.resizes.deadline().filter(|_| self.pty.is_some());
        let hung_up = self.hung_up.filter(|_| self.pty.is_some());
        [self.start.lease.deadline(), self.queue.deadline(), resize, hung_up, self.full_until]
            .into_iter()
            .flatten()
            .min()
    }

    /// Whether to wait for room in the terminal.
    pub(super) fn wants_to_write(&self) -> bool {
        self.queue.is_waiting() && self.full_until.is_none()
    }

    /// The terminal was said to have room and took nothing: one whose program is ending stays
    /// so, and asking at once would keep a processor.
    pub(super) fn on_refused_write(&mut self, now: Instant) {
        self.full_until = Some(now + FULL);
    }

    /// Writes what waits, as far as the terminal takes it; false when it takes nothing.
    pub(super) fn write(&mut self, now: Instant) -> bool {
        if self.hung_up.is_some() || !self.queue.is_waiting() {
            return true;
        }
        let Some(pty) = self.pty.clone() else { return true };
        let (mut broken, mut taken) = (false, 0);
        let events = self.queue.write(self.screen.modes().paste, now, |bytes| {
            let written = pty.write(bytes);
            match &written {
                Ok(bytes) => taken += bytes,
                Err(error) => broken |= !is_temporary(error),
            }
            written
        });
        if broken {
            self.on_hangup(now);
        }
        events.iter().for_each(|event| self.tell(event));
        taken > 0
    }
}

fn is_temporary(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted)
}

fn refused(why: &Refusal) -> ErrorBody {
    ErrorBody {
        code: why.code(),
        message: why.to_string(),
        details: why.holder().map(str::to_owned),
    }
}
