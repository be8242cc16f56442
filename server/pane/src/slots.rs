//! What a viewer is still to be told besides output: a slot each, in which the newest wins.
//!
//! Control never queues behind itself. Only what may not be replaced by newer news is kept in
//! several: refusals, because each names an input, and a few notices. When [`REFUSALS`] are
//! unsent the socket is no longer read, so a viewer cannot make the core remember more.

use std::collections::VecDeque;

use wire::browser::ServerMessage;

/// Refusals that may be unsent before the socket is no longer read.
pub const REFUSALS: usize = 64;
/// Refusals that one viewer may ever have coming: what its own inputs cause stops at [`REFUSALS`],
/// but a whole queue of them may be dropped at once. Past this its socket is closed; when it comes
/// back and sends them again, it is told again.
pub const REFUSALS_MAX: usize = 4096;
/// Notices kept; the oldest goes first.
const NOTICES: usize = 8;
/// Answers to pings and faults kept; the oldest goes first.
const ANSWERS: usize = 8;

/// What one viewer is to be told.
#[derive(Debug, Default)]
pub struct Slots {
    status: Option<ServerMessage>,
    control: Option<ServerMessage>,
    modes: Option<ServerMessage>,
    viewers: Option<ServerMessage>,
    input_ack: Option<ServerMessage>,
    /// Each names an input, or nothing.
    refused: VecDeque<ServerMessage>,
    /// Gaps and notices.
    notices: VecDeque<ServerMessage>,
    /// Pongs and errors: answers to what the viewer itself sent.
    answers: VecDeque<ServerMessage>,
}

impl Slots {
    /// Nothing to tell.
    pub fn new() -> Self {
        Self::default()
    }

    /// Something to tell.
    ///
    /// # Panics
    ///
    /// In debug builds, when given output or what stands in the stream at its Seq.
    pub fn put(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Status { .. } => self.status = Some(message),
            ServerMessage::Control { .. } => self.control = Some(message),
            ServerMessage::Modes(_) => self.modes = Some(message),
            ServerMessage::Viewers { .. } => self.viewers = Some(message),
            ServerMessage::InputAck { .. } => self.input_ack = Some(message),
            ServerMessage::Refused { .. } if self.is_overrun() => {}
            ServerMessage::Refused { .. } => self.refused.push_back(message),
            ServerMessage::Notify { .. } | ServerMessage::Gap { .. } => {
                keep(&mut self.notices, message, NOTICES);
            }
            ServerMessage::Pong { .. } | ServerMessage::Error { .. } => {
                keep(&mut self.answers, message, ANSWERS);
            }
            ServerMessage::Ready { .. }
            | ServerMessage::Snapshot { .. }
            | ServerMessage::Output { .. }
            | ServerMessage::Resized { .. }
            | ServerMessage::Lag { .. }
            | ServerMessage::SessionReplaced { .. } => {
                debug_assert!(false, "it stands in the stream");
            }
        }
    }

    /// Whether the viewer may send more: false while it has too many refusals coming.
    pub fn takes_input(&self) -> bool {
        self.refused.len() < REFUSALS
    }

    /// Whether so many refusals are coming that the socket is to be closed.
    pub fn is_overrun(&self) -> bool {
        self.refused.len() >= REFUSALS_MAX
    }

    /// A pong, if one is due: the only thing that may come between the parts of a snapshot.
    pub fn pop_pong(&mut self) -> Option<ServerMessage> {
        let pong = |message: &ServerMessage| matches!(message, ServerMessage::Pong { .. });
        let index = self.answers.iter().position(pong)?;
        self.answers.remove(index)
    }

    /// The next thing to tell. Refusals go before acknowledgements: one is cumulative and would
    /// seem to say that what was refused before it had been applied.
    pub fn pop(&mut self) -> Option<ServerMessage> {
        self.refused
            .pop_front()
            .or_else(|| self.input_ack.take())
            .or_else(|| self.control.take())
            .or_else(|| self.status.take())
            .or_else(|| self.modes.take())
            .or_else(|| self.answers.pop_front())
            .or_else(|| self.notices.pop_front())
            .or_else(|| self.viewers.take())
    }

    /// Whether there is anything to tell.
    pub fn is_empty(&self) -> bool {
        self.refused.is_empty()
            && self.answers.is_empty()
            && self.notices.is_empty()
            && [&self.input_ack, &self.control, &self.status, &self.modes, &self.viewers]
                .iter()
                .all(|slot| slot.is_none())
    }
}

fn keep(queue: &mut VecDeque<ServerMessage>, message: ServerMessage, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    queue.push_back(message);
}

#[cfg(test)]
mod tests {
    use wire::ErrorCode;
    use wire::browser::Modes;

    use super::*;

    #[test]
    fn the_newest_wins_in_a_slot() {
        let mut slots = Slots::new();
        let newer = Modes { paste: true, ..Modes::default() };
        slots.put(ServerMessage::Modes(Modes::default()));
        slots.put(ServerMessage::Modes(newer));
        assert_eq!(slots.pop(), Some(ServerMessage::Modes(newer)));
        assert!(slots.is_empty());
    }

    #[test]
    fn every_refusal_is_told_before_the_acknowledgement_and_many_stop_the_input() {
        let mut slots = Slots::new();
        slots.put(ServerMessage::InputAck { id: 99 });
        for id in 0..64 {
            assert!(slots.takes_input());
            slots.put(refused(id));
        }
        assert!(!slots.takes_input());
        for id in 0..64 {
            assert_eq!(slots.pop(), Some(refused(id)));
        }
        assert_eq!(slots.pop(), Some(ServerMessage::InputAck { id: 99 }));
    }

    #[test]
    fn a_flood_of_pings_or_notices_is_bounded() {
        let mut slots = Slots::new();
        for t in 0..1_000_u32 {
            slots.put(ServerMessage::Pong { t: f64::from(t) });
            slots.put(ServerMessage::Notify { text: t.to_string() });
        }
        assert_eq!(slots.pop_pong(), Some(ServerMessage::Pong { t: 992.0 }));
        assert_eq!(std::iter::from_fn(|| slots.pop()).count(), ANSWERS - 1 + NOTICES);
    }

    fn refused(id: u64) -> ServerMessage {
        ServerMessage::Refused { id: Some(id), code: ErrorCode::Busy, holder: None }
    }
}
