//! How output becomes rows: small enough to read, few enough to write.
//!
//! A row closes after 20 ms or 32 KiB. While a statement is in flight rows gather for the next; at
//! 1 MiB the batch is full and whoever feeds it stops. Rows are made of whole pieces: after
//! redaction a piece has no other places at which its offsets are known.

use std::time::{Duration, Instant};

use wire::Span;

/// A row that began so long ago is closed.
pub const ROW_AGE: Duration = Duration::from_millis(20);
/// A row is closed before it would hold more, unless one piece alone does.
pub const ROW_BYTES: usize = 32 * 1024;
/// Most bytes that gather for one statement.
pub const STATEMENT_BYTES: usize = 1024 * 1024;

/// A stretch of output to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The output it stands for, before redaction.
    pub span: Span,
    /// When its first byte was printed, in milliseconds since 1970.
    pub at_ms: u64,
    /// What is stored of it.
    pub bytes: Vec<u8>,
}

/// Rows on their way to the store.
#[derive(Debug, Default)]
pub struct Batch {
    /// Takes more output until it is closed; with when it began.
    open: Option<(Row, Instant)>,
    /// Ready to be written, in order, tiling.
    closed: Vec<Row>,
    /// When the first of `closed` began.
    due: Option<Instant>,
    /// Stored bytes in `closed` and `open`.
    bytes: usize,
}

impl Batch {
    /// Nothing gathered.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no more should be fed until a statement was taken.
    pub fn is_full(&self) -> bool {
        self.bytes >= STATEMENT_BYTES
    }

    /// Adds what is stored of `span`, which begins where the last one ended.
    pub fn on_output(&mut self, span: Span, at_ms: u64, bytes: &[u8], now: Instant) {
        if self.open.as_ref().is_some_and(|(row, began)| {
            *began + ROW_AGE <= now
                || row.bytes.len() + bytes.len() > ROW_BYTES
                || row.span.to != span.from
        }) {
            self.close();
        }
        let fresh = || (Row { span, at_ms, bytes: Vec::new() }, now);
        let (row, _) = self.open.get_or_insert_with(fresh);
        row.span.to = span.to;
        row.bytes.extend_from_slice(bytes);
        self.bytes += bytes.len();
        if row.bytes.len() >= ROW_BYTES {
            self.close();
        }
    }

    /// Closes the open row, whatever its age: before a mark, or at the end of a session.
    pub fn close(&mut self) {
        if let Some((row, began)) = self.open.take() {
            self.closed.push(row);
            self.due.get_or_insert(began);
        }
    }

    /// The rows of the next statement: empty when none is due. Ask while none is in flight.
    pub fn take(&mut self, now: Instant) -> Vec<Row> {
        if self.open.as_ref().is_some_and(|(_, began)| *began + ROW_AGE <= now) {
            self.close();
        }
        self.due = None;
        let rows = std::mem::take(&mut self.closed);
        self.bytes = self.open.as_ref().map_or(0, |(row, _)| row.bytes.len());
        rows
    }

    /// When rows are due: a moment past, when some are already.
    pub fn deadline(&self) -> Option<Instant> {
        self.due.or_else(|| self.open.as_ref().map(|(_, began)| *began + ROW_AGE))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wire::Seq;

    use super::*;
    use crate::testing::{ms, start};

    #[test]
    fn a_row_closes_at_its_age() {
        let (mut batch, now) = (Batch::new(), start());
        batch.on_output(span(0, 2), 7, b"hi", now);
        assert_eq!(batch.take(now + ROW_AGE - ms(1)), []);
        assert_eq!(batch.deadline(), Some(now + ROW_AGE));
        let row = Row { span: span(0, 2), at_ms: 7, bytes: b"hi".to_vec() };
        assert_eq!(batch.take(now + ROW_AGE), [row]);
        assert_eq!(batch.deadline(), None);
    }

    #[test]
    fn a_row_closes_at_its_size() {
        let (mut batch, now) = (Batch::new(), start());
        let piece = vec![b'x'; 20_000];
        batch.on_output(span(0, 20_000), 0, &piece, now);
        batch.on_output(span(20_000, 40_000), 0, &piece, now);
        assert_eq!(batch.deadline(), Some(now), "the first is due");
        let rows = batch.take(now);
        assert_eq!(rows.iter().map(|row| row.span).collect::<Vec<_>>(), [span(0, 20_000)]);
    }

    #[test]
    fn a_full_batch_says_so_until_it_is_taken() {
        let (mut batch, now) = (Batch::new(), start());
        let mut at = 0;
        while !batch.is_full() {
            batch.on_output(span(at, at + 8_192), 0, &[b'x'; 8_192], now);
            at += 8_192;
        }
        assert_eq!(at, 1024 * 1024);
        assert_eq!(batch.take(now).len(), 32);
        assert!(!batch.is_full());
    }

    #[test]
    fn redacted_output_keeps_the_span_it_stands_for() {
        let (mut batch, now) = (Batch::new(), start());
        batch.on_output(span(0, 90), 0, b"", now);
        batch.on_output(span(90, 95), 0, b"after", now);
        batch.close();
        let row = Row { span: span(0, 95), at_ms: 0, bytes: b"after".to_vec() };
        assert_eq!(batch.take(now), [row]);
    }

    proptest! {
        #[test]
        fn rows_tile_the_output_and_none_is_older_or_larger_than_allowed(
            pieces in prop::collection::vec((1_usize..9_000, 0_u64..15, any::<bool>()), 1..200)
        ) {
            let (mut batch, mut now) = (Batch::new(), start());
            let (mut at, mut rows) = (0, Vec::new());
            for (len, wait, take) in pieces {
                now += ms(wait);
                if take {
                    rows.extend(batch.take(now));
                    prop_assert!(batch.deadline().is_none_or(|at| at > now));
                }
                let to = at + u64::try_from(len).unwrap();
                batch.on_output(span(at, to), 0, &vec![b'x'; len], now);
                at = to;
            }
            batch.close();
            rows.extend(batch.take(now));
            let mut end = Seq::ZERO;
            for row in rows {
                prop_assert_eq!(row.span.from, end);
                prop_assert_eq!(usize::try_from(row.span.bytes()).unwrap(), row.bytes.len());
                prop_assert!(row.bytes.len() <= ROW_BYTES);
                end = row.span.to;
            }
            prop_assert_eq!(end, Seq(at));
        }
    }

    fn span(from: u64, to: u64) -> Span {
        Span { from: Seq(from), to: Seq(to) }
    }
}
