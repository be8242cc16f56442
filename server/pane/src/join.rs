//! How a viewer comes to a session: by the bytes it misses, or by a screen.
//!
//! Bytes are right only from where the viewer truly stands, and only if no resize lies between:
//! they were laid out for another width. An offset that nobody has printed yet is another
//! session's or a lie, and gets a screen as well.

use wire::browser::Scope;
use wire::{Seq, Span};

/// How to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// With the bytes from here on.
    Tail(Seq),
    /// With both screens; history comes later.
    Screen,
}

/// How a viewer that has everything before `has` comes to a session whose `tail` can be sent and
/// whose size last changed at `resized_at`. Without `has` the viewer is new.
pub fn choose(tail: Span, has: Option<Seq>, resized_at: Seq) -> Join {
    // To a new viewer the whole output from its start is as good as a screen, and simpler.
    let from = has.unwrap_or(Seq::ZERO);
    let short = has.is_some() || tail.bytes() <= NEW_VIEWER_BYTES;
    if short && tail.from <= from && from <= tail.to && resized_at <= from {
        Join::Tail(from)
    } else {
        Join::Screen
    }
}

/// Most output a new viewer is given from a session's start instead of a screen.
const NEW_VIEWER_BYTES: u64 = 64 * 1024;

/// Whether what is had serves who wants `wanted`.
pub fn serves(had: Scope, wanted: Scope) -> bool {
    match (had, wanted) {
        (Scope::Screen, Scope::Full | Scope::Replay) => false,
        (Scope::Screen, Scope::Screen) | (Scope::Full | Scope::Replay, _) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewer_gets_bytes_only_where_they_continue_what_it_has() {
        for (tail, has, resized_at, join) in [
            // It missed nothing, or something the tail has.
            ((100, 900), Some(900), 0, Join::Tail(Seq(900))),
            ((100, 900), Some(100), 0, Join::Tail(Seq(100))),
            ((100, 900), Some(500), 500, Join::Tail(Seq(500))),
            // The tail does not reach back, nobody printed that yet, or it was resized since.
            ((100, 900), Some(99), 0, Join::Screen),
            ((100, 900), Some(901), 0, Join::Screen),
            ((100, 900), Some(500), 501, Join::Screen),
            // A new viewer.
            ((0, 900), None, 0, Join::Tail(Seq(0))),
            ((0, 0), None, 0, Join::Tail(Seq(0))),
            ((1, 900), None, 0, Join::Screen),
            ((0, 900), None, 1, Join::Screen),
            ((0, 65_537), None, 0, Join::Screen),
        ] {
            let tail = Span { from: Seq(tail.0), to: Seq(tail.1) };
            let chosen = choose(tail, has.map(Seq), Seq(resized_at));
            assert_eq!(chosen, join, "{tail:?} {has:?} {resized_at}");
        }
    }

    #[test]
    fn a_screen_never_serves_who_wants_history() {
        assert!(!serves(Scope::Screen, Scope::Full));
        assert!(serves(Scope::Full, Scope::Screen));
        assert!(serves(Scope::Replay, Scope::Full));
    }
}
