//! What people do to a session, and what time does.

use std::time::{Duration, Instant};

use pane::lease::Refusal;
use rustix::process::Signal;
use wire::host::{By, LeaseAction, MarkKind, Reply, Theme};
use wire::{ErrorBody, ErrorCode};

use super::state::State;
use super::{Command, Conn};
use crate::ending::{self, Whom};
use crate::pty::Size;

/// ETX: what Ctrl-C types.
const CTRL_C: u8 = 3;
/// A terminal that took nothing although it was said to is asked again after this.
const FULL: Duration = Duration::from_millis(10);
/// Viewers a session remembers to be watching.
const VIEWERS: usize = 1024;

/// What a request comes to.
pub(super) type Answer = Result<Reply, ErrorBody>;

impl State {
    pub(super) fn interrupt(&mut self, by: &By, epoch: u32, now: Instant) -> Answer {
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

    pub(super) fn resize(&mut self, by: &By, size: Size, now: Instant) -> Answer {
        self.watch(by);
        self.start.lease.check(by, now).map_err(|why| refused(&why))?;
        if self.exit.is_some() {
            return Err(ErrorBody::new(ErrorCode::Exited, "the program has ended"));
        }
        self.resizes.on_resize(size, &by.name);
        self.apply_resize(now);
        Ok(Reply::Session(Box::new(self.facts(now))))
    }

    pub(super) fn apply_resize(&mut self, now: Instant) {
        let Some(pty) = self.pty.clone() else { return };
        let Some((size, by)) = self.resizes.poll(now) else { return };
        if let Err(error) = pty.resize(size) {
            tracing::warn!(session = %self.handle.session, %error, "the size could not be set");
        }
        self.screen.resize(size);
        self.resized_at = self.ring.end();
        self.mark(MarkKind::Resize { cols: size.cols, rows: size.rows, by });
    }

    pub(super) fn set_theme(&mut self, by: &By, theme: &Theme, now: Instant) -> Answer {
        self.watch(by);
        self.start.lease.check(by, now).map_err(|why| refused(&why))?;
        if !self.screen.set_theme(theme) {
            return Err(ErrorBody::new(ErrorCode::BadMessage, "a colour is #rrggbb"));
        }
        // A program may have asked to be told.
        while let Some(answer) = self.screen.poll_answer() {
            self.queue.answer(answer);
        }
        Ok(Reply::Done)
    }

    pub(super) fn control(&mut self, by: &By, action: LeaseAction, now: Instant) -> Answer {
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

    pub(super) fn signal(&self, number: i32) -> Answer {
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
    pub(super) fn terminate(&mut self, waiter: Option<(Conn, u32)>) {
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
    pub(super) fn watch(&mut self, by: &By) {
        if self.viewers.len() < VIEWERS {
            self.viewers.insert((by.caller, by.viewer));
        }
    }

    /// Does what time asks for.
    pub(super) fn on_time(&mut self, now: Instant) {
        self.start.lease.on_time(now);
        self.queue.on_time(now);
        self.settle_lease(now);
        self.apply_resize(now);
        self.hung_up = self.hung_up.filter(|again| now < *again);
        self.unread_until = self.unread_until.filter(|again| now < *again);
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
