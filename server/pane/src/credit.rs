//! How far one viewer may be ahead of what it has drawn.
//!
//! A viewer acknowledges what it has *parsed*, not what it has received, by the offset it has
//! reached. Offsets are cumulative, so a lost acknowledgement heals at the next one. A smaller
//! window takes nothing back: it only lets less out until the viewer has caught up.

use wire::{Seq, limits};

/// The window of a viewer that can be seen, to begin with.
pub const WINDOW_BYTES: u64 = limits::VIEWER_WINDOW_BYTES;
/// The window of a hidden one.
pub const HIDDEN_BYTES: u64 = limits::HIDDEN_WINDOW_BYTES;

/// One viewer's send window over a session's output.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    /// End of what was sent.
    sent: Seq,
    /// End of what the viewer has parsed. Never past `sent`.
    parsed: Seq,
    /// Most bytes sent and not parsed. At least one frame, or nothing would ever fit.
    window_bytes: u64,
}

/// The viewer acknowledged what it was never sent: it is broken or hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("acknowledged {acked} but only {sent} was sent")]
pub struct AckPastSent {
    /// What it claims to have parsed.
    pub acked: Seq,
    /// What it was sent.
    pub sent: Seq,
}

impl Credit {
    /// A window that opens at `at`, up to where the viewer has everything.
    pub fn new(at: Seq) -> Self {
        Self { sent: at, parsed: at, window_bytes: WINDOW_BYTES }
    }

    /// End of what was sent.
    pub fn sent(&self) -> Seq {
        self.sent
    }

    /// End of what was parsed.
    pub fn parsed(&self) -> Seq {
        self.parsed
    }

    /// Most bytes sent and not parsed.
    pub fn window_bytes(&self) -> u64 {
        self.window_bytes
    }

    /// Bytes that may be sent now.
    pub fn available(&self) -> u64 {
        self.window_bytes.saturating_sub(self.sent.bytes_since(self.parsed))
    }

    /// A new window; never below a frame.
    pub fn set_window(&mut self, bytes: u64) {
        self.window_bytes = bytes.max(limits::OUTPUT_FRAME_MAX_BYTES);
    }

    /// Output was handed to the socket, up to `end`.
    pub fn on_sent(&mut self, end: Seq) {
        debug_assert!(end.bytes_since(self.sent) <= self.available(), "sent without credit");
        self.sent = self.sent.max(end);
    }

    /// A snapshot that stands at `at` took the place of everything before.
    pub fn restart(&mut self, at: Seq) {
        (self.sent, self.parsed) = (at, at);
    }

    /// The viewer has parsed everything before `acked`. An older offset changes nothing.
    ///
    /// # Errors
    ///
    /// [`AckPastSent`]: close it.
    pub fn on_ack(&mut self, acked: Seq) -> Result<(), AckPastSent> {
        if acked > self.sent {
            return Err(AckPastSent { acked, sent: self.sent });
        }
        self.parsed = self.parsed.max(acked);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_old_acknowledgement_changes_nothing_and_one_of_the_future_is_refused() {
        let mut credit = Credit::new(Seq(100));
        credit.on_sent(Seq(200));
        credit.on_ack(Seq(180)).unwrap();
        credit.on_ack(Seq(120)).unwrap();
        assert_eq!(credit.parsed(), Seq(180));
        let refused = AckPastSent { acked: Seq(201), sent: Seq(200) };
        assert_eq!(credit.on_ack(Seq(201)), Err(refused));
    }

    #[test]
    fn a_smaller_window_waits_for_the_viewer_to_catch_up() {
        let mut credit = Credit::new(Seq::ZERO);
        credit.on_sent(Seq(WINDOW_BYTES));
        credit.set_window(HIDDEN_BYTES);
        assert_eq!(credit.available(), 0);
        credit.on_ack(Seq(WINDOW_BYTES - HIDDEN_BYTES / 2)).unwrap();
        assert_eq!(credit.available(), HIDDEN_BYTES / 2);
        credit.set_window(0);
        assert_eq!(credit.window_bytes(), limits::OUTPUT_FRAME_MAX_BYTES);
    }

    proptest! {
        #[test]
        fn unparsed_bytes_stay_within_the_window_and_lost_acks_heal(
            steps in prop::collection::vec((0_u64..9_000, any::<bool>()), 1..200)
        ) {
            let mut credit = Credit::new(Seq::ZERO);
            for (bytes, acked) in steps {
                let end = credit.sent().advance(bytes.min(credit.available()));
                credit.on_sent(end);
                prop_assert!(end.bytes_since(credit.parsed()) <= WINDOW_BYTES);
                if acked {
                    credit.on_ack(end).unwrap();
                    prop_assert_eq!(credit.available(), WINDOW_BYTES);
                }
            }
        }
    }
}
