//! The numbered marks of a session: start, resize, exit, gap.
//!
//! A gap is noted when somebody can be told, not byte by byte as it grows: a flood with no recorder
//! is one gap.

use wire::host::{Mark, MarkKind};
use wire::{Seq, Span};

/// Stored marks that are kept for cores that come later.
const KEPT: usize = 256;

/// Marks in order, and the gap that still grows.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
    /// The number of the last one.
    last: u64,
    /// The last one a recorder has stored.
    durable: u64,
    /// Evicted output that no mark names yet.
    gap: Option<Span>,
}

impl Marks {
    /// The number of the last mark.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Whether all are stored.
    pub(crate) fn is_durable(&self) -> bool {
        self.durable >= self.last && self.gap.is_none()
    }

    /// Whether output was evicted and no mark says so yet.
    pub(crate) fn has_open_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// Notes something at the end of the output.
    pub(crate) fn push(&mut self, seq: Seq, at_ms: u64, kind: MarkKind) -> Mark {
        self.last += 1;
        let mark = Mark { n: self.last, seq, at_ms, kind };
        self.marks.push(mark.clone());
        mark
    }

    /// Output was evicted before it was stored.
    pub(crate) fn on_evicted(&mut self, span: Span) {
        let from = self.gap.map_or(span.from, |gap| gap.from.min(span.from));
        self.gap = Some(Span { from, to: span.to });
    }

    /// The mark of the gap so far, which ends it.
    pub(crate) fn close_gap(&mut self, seq: Seq, at_ms: u64) -> Option<Mark> {
        let Span { from, to } = self.gap.take()?;
        let why = "the record fell behind and there was no more room".to_owned();
        Some(self.push(seq, at_ms, MarkKind::Gap { from, to, why }))
    }

    /// A recorder has stored everything up to a mark.
    pub(crate) fn on_durable(&mut self, mark: u64) {
        self.durable = self.durable.max(mark.min(self.last));
        let stored = self.marks.partition_point(|mark| mark.n <= self.durable);
        self.marks.drain(..stored.saturating_sub(KEPT));
    }

    /// Those after one, up to an offset.
    pub(crate) fn since(&self, after: u64, to: Seq) -> Vec<Mark> {
        let wanted = |mark: &&Mark| mark.n > after && mark.seq <= to;
        self.marks.iter().filter(wanted).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_gap_is_one_mark() {
        let mut marks = Marks::default();
        marks.push(Seq(0), 1, MarkKind::Start { cols: 80, rows: 24 });
        marks.on_evicted(Span { from: Seq(0), to: Seq(10) });
        marks.on_evicted(Span { from: Seq(10), to: Seq(30) });
        assert!(marks.has_open_gap());
        let mark = marks.close_gap(Seq(99), 2).unwrap();
        assert_eq!((mark.n, mark.seq), (2, Seq(99)));
        assert!(matches!(mark.kind, MarkKind::Gap { from: Seq(0), to: Seq(30), .. }));
        assert_eq!(marks.close_gap(Seq(99), 2), None);
    }

    #[test]
    fn stored_marks_are_not_kept_for_ever_and_unstored_ones_are() {
        let mut marks = Marks::default();
        for n in 0..1_000 {
            marks.push(Seq(n), 0, MarkKind::Start { cols: 1, rows: 1 });
        }
        marks.on_durable(500);
        assert_eq!(marks.since(0, Seq(2_000)).len(), 500 + KEPT);
        assert!(!marks.is_durable());
        marks.on_durable(5_000);
        assert!(marks.is_durable());
        assert_eq!(marks.since(998, Seq(998)).len(), 1);
    }
}
