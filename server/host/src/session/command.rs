//! What cores and the host ask of a session, handed to what does it.

use std::time::Instant;

use wire::host::{Reply, Request};
use wire::{ErrorBody, ErrorCode};

use super::state::State;
use super::{Command, Conn, Look};
use crate::pty::Size;

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
            Request::Theme { by, theme, .. } => self.set_theme(&by, &theme, now),
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
}
