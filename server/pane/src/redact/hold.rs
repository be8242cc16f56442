//! Output that is not decided yet, and the printable view the rules look at.
//!
//! The view is what a reader sees: printable text, with each line break or cursor move as one
//! marker byte, and without colours, titles and the like. Those stay in the held output at their
//! place, so that a secret is found whatever is painted into it and a release changes nothing
//! but secret cells. The view keeps up to [`CONTEXT_BYTES`] of what is already released before
//! `base`.

use std::ops::Range;

use super::{cells, mask, mask::Mask};

/// Released text kept for looking back: names, headers, the start of a word released early.
pub(super) const CONTEXT_BYTES: usize = 1024;

/// In the view: a line break.
pub(super) const LINE: u8 = b'\n';
/// In the view: a line break where the last column of the pane was filled.
pub(super) const EDGE: u8 = 0x1e;
/// In the view: a cursor move to elsewhere.
pub(super) const MOVE: u8 = 0x1f;

/// Held output with its printable view.
#[derive(Debug, Default)]
pub(super) struct Hold {
    /// Released context up to `base`, then the held text.
    view: Vec<u8>,
    /// Where the held text begins in `view`.
    base: usize,
    /// The held output in the form it will be released in, from `out_base` on.
    out: Vec<u8>,
    /// What of `out` is released already; reset by [`Hold::compact`].
    out_base: usize,
    /// Where runs of text and single markers lie, ordered by `view`; from `seg_base` on.
    segs: Vec<Seg>,
    seg_base: usize,
    /// Raw bytes pushed so far, and how many of them are released.
    raw: usize,
    raw_base: usize,
    /// Whether text may extend the last segment.
    run_open: bool,
}

/// A stretch where view and output go in step.
#[derive(Debug, Clone, Copy)]
struct Seg {
    view: usize,
    out: usize,
    raw: usize,
    /// Text that can be masked, as opposed to a marker.
    text: bool,
}

impl Hold {
    /// The view: context, then what is held.
    pub(super) fn view(&self) -> &[u8] {
        &self.view
    }

    /// Where the held part of the view begins.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// Raw bytes held.
    pub(super) fn raw_bytes(&self) -> usize {
        self.raw - self.raw_base
    }

    /// Whether nothing at all is held.
    pub(super) fn is_empty(&self) -> bool {
        self.raw == self.raw_base && self.out.len() == self.out_base
    }

    /// Holds printable text whose raw form is the same bytes.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        if !self.run_open {
            self.open(true);
        }
        self.view.extend_from_slice(text);
        self.out.extend_from_slice(text);
        self.raw += text.len();
    }

    /// Holds the replacement character for `raw` bytes that are no text.
    pub(super) fn push_invalid(&mut self, raw: usize) {
        self.open(true);
        self.view.extend_from_slice("\u{fffd}".as_bytes());
        self.out.extend_from_slice("\u{fffd}".as_bytes());
        self.raw += raw;
        self.run_open = false;
    }

    /// Holds `bytes`, which the view shows as `marker`.
    pub(super) fn push_marker(&mut self, marker: u8, bytes: &[u8]) {
        self.open(false);
        self.view.push(marker);
        self.out.extend_from_slice(bytes);
        self.raw += bytes.len();
        self.run_open = false;
    }

    /// Holds `bytes`, made of `raw` raw ones, which the view does not show.
    pub(super) fn push_hidden(&mut self, bytes: &[u8], raw: usize) {
        self.out.extend_from_slice(bytes);
        self.raw += raw;
        self.run_open = false;
    }

    fn open(&mut self, text: bool) {
        let seg = Seg { view: self.view.len(), out: self.out.len(), raw: self.raw, text };
        self.segs.push(seg);
        self.run_open = true;
    }

    /// Takes text that passed by without being held as context.
    pub(super) fn remember(&mut self, text: &[u8]) {
        debug_assert!(self.is_empty(), "context goes before what is held");
        let tail = text.len().saturating_sub(CONTEXT_BYTES);
        self.view.extend_from_slice(text.get(tail..).unwrap_or_default());
        self.base = self.view.len();
        self.compact();
    }

    /// The first place in the held view that is at least `raw` raw bytes after `from`.
    pub(super) fn place_at_raw(&self, from: usize, raw: usize) -> usize {
        let wanted = self.place(from).1 + raw;
        let (mut low, mut high) = (from, self.view.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.place(middle).1 < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Where the cell at `at` begins in output and raw bytes.
    fn place(&self, at: usize) -> (usize, usize) {
        if at >= self.view.len() {
            return (self.out.len(), self.raw);
        }
        let seg = self.segs[self.seg_index(at)];
        (seg.out + (at - seg.view), seg.raw + (at - seg.view))
    }

    /// The segment that holds `at`, which lies in the held view.
    fn seg_index(&self, at: usize) -> usize {
        let after = self.segs[self.seg_base..].partition_point(|seg| seg.view <= at);
        (self.seg_base + after).saturating_sub(1)
    }

    /// Releases what lies before `to` in the view, hiding `masks` (ordered, apart).
    pub(super) fn release(&mut self, to: usize, masks: &[Mask], released: &mut Vec<u8>) {
        let to = to.max(self.base);
        for mask in masks {
            let from = mask.from.max(self.base);
            let end = mask.to.min(to);
            if from < end {
                let skipped = self.cells(mask.from..from);
                self.release_masked(from..end, mask.tag, mask.cell + skipped, released);
            }
        }
        let (out_end, raw_end) = self.place(to);
        released.extend_from_slice(self.out.get(self.out_base..out_end).unwrap_or_default());
        self.advance(to, out_end, raw_end);
    }

    fn release_masked(
        &mut self,
        span: Range<usize>,
        tag: &'static str,
        mut cell: usize,
        released: &mut Vec<u8>,
    ) {
        let mut at = span.start;
        while at < span.end {
            let index = self.seg_index(at);
            let seg = self.segs[index];
            let seg_end = self.segs.get(index + 1).map_or(self.view.len(), |next| next.view);
            let end = seg_end.min(span.end);
            let from = seg.out + (at - seg.view);
            released.extend_from_slice(self.out.get(self.out_base..from).unwrap_or_default());
            self.out_base = from;
            if seg.text {
                let count = self.cells(at..end);
                mask::write(tag, cell, count, released);
                cell += count;
                self.out_base = from + (end - at);
            }
            at = end;
        }
    }

    /// Cells of the text in `span` of the view.
    pub(super) fn cells(&self, span: Range<usize>) -> usize {
        let bytes = self.view.get(span).unwrap_or_default();
        if bytes.is_ascii() {
            return bytes.len();
        }
        String::from_utf8_lossy(bytes).chars().map(cells::width).sum()
    }

    fn advance(&mut self, view: usize, out: usize, raw: usize) {
        self.base = view;
        self.out_base = out;
        self.raw_base = raw;
        if view >= self.view.len() {
            self.seg_base = self.segs.len();
            self.run_open = false;
        } else {
            self.seg_base = self.seg_index(view);
        }
    }

    /// Gives back the room of what is released; places in the view move down by the answer.
    pub(super) fn compact(&mut self) -> usize {
        let cut = self.base.saturating_sub(CONTEXT_BYTES);
        // Moving a whole context for every byte of a typed line would be most of the work.
        if cut < CONTEXT_BYTES && self.out_base < CONTEXT_BYTES {
            return 0;
        }
        self.view.drain(..cut);
        self.base -= cut;
        self.segs.drain(..self.seg_base);
        self.seg_base = 0;
        self.out.drain(..self.out_base);
        for seg in &mut self.segs {
            // The first may begin before what is released; only its later part is asked for.
            let early = cut.saturating_sub(seg.view).max(self.out_base.saturating_sub(seg.out));
            seg.view = seg.view + early - cut;
            seg.out = seg.out + early - self.out_base;
            seg.raw += early;
        }
        self.out_base = 0;
        cut
    }
}
