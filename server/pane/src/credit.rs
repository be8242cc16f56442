//! How far one viewer may be ahead of what it has drawn.
//!
//! A viewer acknowledges what it has *parsed*, not what it has received, by the offset it has
//! reached. Offsets are cumulative, so a lost acknowledgement heals at the next one. A smaller
//! window takes nothing back: it only lets less out until the viewer has caught up.
//!
//! The window follows what the viewer has shown it can do: its rate, times its least round trip
//! and a quarter of a second more. It learns only while the window is what holds the output up; a
//! program that prints little says nothing about its viewer.

use std::time::{Duration, Instant};

use wire::{Seq, limits};

/// The window of a viewer that can be seen, to begin with.
pub const WINDOW_BYTES: u64 = limits::VIEWER_WINDOW_BYTES;
/// The window of a hidden one, and the least of any.
pub const HIDDEN_BYTES: u64 = limits::HIDDEN_WINDOW_BYTES;
/// The most: at 20 MB/s, which a page parses, some 13 ms of output.
pub const WINDOW_MAX_BYTES: u64 = 256 * 1024;
/// Output a viewer may have waiting beyond its round trip: it must not run dry between two acks.
const SLACK: Duration = Duration::from_millis(250);
/// What a rate is measured over.
const MEASURE: Duration = Duration::from_millis(100);

/// One viewer's send window over a session's output.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    /// End of what was sent.
    sent: Seq,
    /// End of what the viewer has parsed. Never past `sent`.
    parsed: Seq,
    /// Most bytes sent and not parsed while the viewer can be seen.
    window_bytes: u64,
    hidden: bool,
    /// An offset that was sent, and when: its acknowledgement measures a round trip.
    probe: Option<(Seq, Instant)>,
    /// The least round trip seen.
    round_trip: Option<Duration>,
    /// The measurement under way; none while the window holds nothing up.
    measure: Option<Measure>,
}

/// How fast a viewer parses while it has something to parse.
#[derive(Clone, Copy, Debug)]
struct Measure {
    /// What was parsed when it began.
    from: Seq,
    /// For how long there was something to parse.
    busy: Duration,
    /// Since when there is something to parse that `busy` does not count yet.
    since: Option<Instant>,
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
        Self {
            sent: at,
            parsed: at,
            window_bytes: WINDOW_BYTES,
            hidden: false,
            probe: None,
            round_trip: None,
            measure: None,
        }
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
        if self.hidden { HIDDEN_BYTES } else { self.window_bytes }
    }

    /// Bytes that may be sent now.
    pub fn available(&self) -> u64 {
        self.window_bytes().saturating_sub(self.sent.bytes_since(self.parsed))
    }

    /// Its pane can be seen, or no longer: then the window is small, and nothing is learned.
    pub fn set_hidden(&mut self, hidden: bool) {
        self.hidden = hidden;
        self.measure = None;
    }

    /// Output was handed to the socket, up to `end`.
    pub fn on_sent(&mut self, end: Seq, now: Instant) {
        debug_assert!(end.bytes_since(self.sent) <= self.available(), "sent without credit");
        self.sent = self.sent.max(end);
        self.probe.get_or_insert((self.sent, now));
        if let Some(measure) = &mut self.measure {
            measure.since.get_or_insert(now);
        }
    }

    /// There was output that the window did not let out.
    pub fn on_held_up(&mut self, now: Instant) {
        if self.hidden {
            return;
        }
        let from = self.parsed;
        self.measure.get_or_insert(Measure { from, busy: Duration::ZERO, since: Some(now) });
    }

    /// A snapshot that stands at `at` took the place of everything before.
    pub fn restart(&mut self, at: Seq) {
        (self.sent, self.parsed) = (at, at);
        (self.probe, self.measure) = (None, None);
    }

    /// The viewer has parsed everything before `acked`. An older offset changes nothing.
    ///
    /// # Errors
    ///
    /// [`AckPastSent`]: close it.
    pub fn on_ack(&mut self, acked: Seq, now: Instant) -> Result<(), AckPastSent> {
        if acked > self.sent {
            return Err(AckPastSent { acked, sent: self.sent });
        }
        self.parsed = self.parsed.max(acked);
        if let Some((_, at)) = self.probe.take_if(|(seq, _)| *seq <= acked) {
            let took = now.saturating_duration_since(at);
            self.round_trip = Some(self.round_trip.map_or(took, |least| least.min(took)));
        }
        self.learn(now);
        Ok(())
    }

    fn learn(&mut self, now: Instant) {
        let Some(measure) = &mut self.measure else { return };
        if let Some(since) = measure.since {
            measure.busy += now.saturating_duration_since(since);
            measure.since = (self.parsed < self.sent).then_some(now);
        }
        if measure.busy < MEASURE {
            return;
        }
        let per_window = self.round_trip.unwrap_or_default() + SLACK;
        let parsed = u128::from(self.parsed.bytes_since(measure.from));
        let window = parsed * per_window.as_micros() / measure.busy.as_micros().max(1);
        let window = u64::try_from(window).unwrap_or(u64::MAX);
        self.window_bytes = window.clamp(HIDDEN_BYTES, WINDOW_MAX_BYTES);
        self.measure = None;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{ms, start};

    #[test]
    fn an_old_acknowledgement_changes_nothing_and_one_of_the_future_is_refused() {
        let (mut credit, now) = (Credit::new(Seq(100)), start());
        credit.on_sent(Seq(200), now);
        credit.on_ack(Seq(180), now).unwrap();
        credit.on_ack(Seq(120), now).unwrap();
        assert_eq!(credit.parsed(), Seq(180));
        let refused = AckPastSent { acked: Seq(201), sent: Seq(200) };
        assert_eq!(credit.on_ack(Seq(201), now), Err(refused));
    }

    #[test]
    fn a_smaller_window_waits_for_the_viewer_to_catch_up() {
        let (mut credit, now) = (Credit::new(Seq::ZERO), start());
        credit.on_sent(Seq(WINDOW_BYTES), now);
        credit.set_hidden(true);
        assert_eq!(credit.available(), 0);
        credit.on_ack(Seq(WINDOW_BYTES - HIDDEN_BYTES / 2), now).unwrap();
        assert_eq!(credit.available(), HIDDEN_BYTES / 2);
    }

    #[test]
    fn the_window_grows_and_shrinks_with_what_the_viewer_parses() {
        // A page parses 20 MB/s 1 ms away; a link brings 100 kB/s 150 ms away.
        for (bytes_per_ms, away, least, most) in
            [(20_000, 1, WINDOW_MAX_BYTES, WINDOW_MAX_BYTES), (100, 150, 30_000, 50_000)]
        {
            let (window, _) = flood(bytes_per_ms, ms(away), 5_000);
            assert!((least..=most).contains(&window), "{window}");
        }
    }

    #[test]
    fn a_steady_window_keeps_a_viewer_busy() {
        // What it parses in five seconds is what it could parse, but for the first round trips.
        let (_, parsed) = flood(100, ms(150), 5_000);
        assert!(parsed > 5_000 * 100 * 85 / 100, "{parsed}");
    }

    #[test]
    fn a_quiet_program_says_nothing_about_its_viewer() {
        let (mut credit, mut now) = (Credit::new(Seq::ZERO), start());
        for n in 1..100 {
            credit.on_sent(Seq(n * 10), now);
            now += ms(50);
            credit.on_ack(Seq(n * 10), now).unwrap();
        }
        assert_eq!(credit.window_bytes(), WINDOW_BYTES);
    }

    #[test]
    fn a_pause_after_a_burst_does_not_count_against_the_viewer() {
        let (mut credit, now) = (Credit::new(Seq::ZERO), start());
        for n in 1..60 {
            let now = now + ms(5_000 * n);
            credit.on_sent(Seq(n * WINDOW_BYTES), now);
            credit.on_held_up(now);
            credit.on_ack(Seq(n * WINDOW_BYTES), now + ms(5)).unwrap();
        }
        assert_eq!(credit.window_bytes(), WINDOW_MAX_BYTES);
    }

    proptest! {
        #[test]
        fn unparsed_bytes_stay_within_the_window_and_lost_acks_heal(
            steps in prop::collection::vec((0_u64..9_000, any::<bool>(), 0_u64..80), 1..200)
        ) {
            let (mut credit, mut now) = (Credit::new(Seq::ZERO), start());
            for (bytes, acked, wait) in steps {
                now += ms(wait);
                let end = credit.sent().advance(bytes.min(credit.available()));
                credit.on_sent(end, now);
                if bytes > credit.available() {
                    credit.on_held_up(now);
                }
                prop_assert!(end.bytes_since(credit.parsed()) <= WINDOW_MAX_BYTES);
                if acked {
                    credit.on_ack(end, now).unwrap();
                    prop_assert_eq!(credit.available(), credit.window_bytes());
                }
                prop_assert!(credit.window_bytes() >= HIDDEN_BYTES);
            }
        }
    }

    /// A program prints without end; its viewer parses so much, and is so far away. Answers the
    /// window at last and what was parsed.
    fn flood(bytes_per_ms: u64, away: Duration, for_ms: u64) -> (u64, u64) {
        let (mut credit, begin) = (Credit::new(Seq::ZERO), start());
        let mut parsed = 0;
        // Acknowledgements on their way, and what is on the way there, each with when it arrives.
        let mut acks = std::collections::VecDeque::new();
        let mut arriving = std::collections::VecDeque::new();
        for tick in 0..for_ms {
            let now = begin + ms(tick);
            while acks.front().is_some_and(|(at, _)| *at <= now) {
                let (_, seq) = acks.pop_front().unwrap();
                credit.on_ack(seq, now).unwrap();
            }
            let end = credit.sent().advance(credit.available());
            credit.on_sent(end, now);
            credit.on_held_up(now);
            arriving.push_back((now + away / 2, end.0));
            let arrived = arriving.iter().take_while(|(at, _)| *at <= now).last();
            let arrived = arrived.map_or(0, |(_, seq)| *seq);
            while arriving.front().is_some_and(|(at, seq)| *at <= now && *seq < arrived) {
                arriving.pop_front();
            }
            if parsed < arrived {
                parsed = arrived.min(parsed + bytes_per_ms);
                acks.push_back((now + away / 2, Seq(parsed)));
            }
        }
        (credit.window_bytes(), parsed)
    }
}
