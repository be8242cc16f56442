//! Rows that have left the screen, packed.
//!
//! A row is a sequence of runs: one style, then text. Blanks are NUL bytes in the text, the second
//! columns of wide characters are left out, a cluster is a run of its own. A line of a log so takes
//! its length and three bytes, where its cells would take sixteen times as much.

use std::collections::VecDeque;

use crate::cell::{Cell, Glyph, Style};
use crate::clusters::Clusters;
use crate::num;
use crate::row::Row;

/// Most bytes a line may take on average; past it the oldest lines go early.
const LINE_MAX_BYTES: usize = 8 * 1024;

/// Bytes at the front that are dead before they are moved over.
const DEAD_MAX_BYTES: usize = 64 * 1024;

/// Most bytes of text in a run that is not all ASCII; longer ones become several.
const TEXT_MAX_BYTES: usize = 256;

const KIND: u8 = 3;
const NARROW: u8 = 0;
const WIDE: u8 = 1;
const CLUSTER: u8 = 2;
/// A style follows; otherwise it is that of the run before.
const STYLED: u8 = 4;
/// Where the width of a cluster's cell starts.
const WIDTH_SHIFT: u8 = 3;
/// The width of a wide cell whose second column is not there.
const HALF: u8 = 3;

const WRAPPED: u32 = 1;
const PROMPT: u32 = 2;

/// The packed rows, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Scrollback {
    bytes: Vec<u8>,
    /// Where the oldest row starts in `bytes`.
    start: usize,
    /// Length shifted by two, and the flags of each row.
    lines: VecDeque<u32>,
    max_lines: usize,
}

impl Scrollback {
    /// Room for `max_lines` rows.
    pub(crate) fn new(max_lines: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, lines: VecDeque::new(), max_lines }
    }

    /// Rows kept.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Most rows kept.
    pub(crate) fn max_lines(&self) -> usize {
        self.max_lines
    }

    /// Adds a row at the end; the oldest goes when there are too many.
    pub(crate) fn push(&mut self, row: &Row, clusters: &Clusters) {
        if self.max_lines == 0 {
            return;
        }
        if self.lines.len() >= self.max_lines {
            self.pop_oldest();
        }
        let from = self.bytes.len();
        self.pack(row, clusters);
        let len = num::word(self.bytes.len() - from) << 2;
        let flags = if row.wrapped { WRAPPED } else { 0 } | if row.prompt { PROMPT } else { 0 };
        self.lines.push_back(len | flags);
        while self.bytes.len() - self.start > self.max_lines.saturating_mul(LINE_MAX_BYTES) {
            self.pop_oldest();
        }
    }

    fn pop_oldest(&mut self) {
        if let Some(line) = self.lines.pop_front() {
            self.start += num::index(line >> 2);
        }
        if self.start > DEAD_MAX_BYTES.max((self.bytes.len() - self.start) / 2) {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
    }

    /// Forgets every row.
    pub(crate) fn clear(&mut self) {
        self.bytes = Vec::new();
        self.start = 0;
        self.lines.clear();
    }

    /// The rows, oldest first; their clusters go to `clusters`.
    pub(crate) fn rows(&self, clusters: &mut Clusters) -> Vec<Row> {
        self.packed(0).map(|line| unpack(line, clusters)).collect()
    }

    /// The packed rows from number `first` on, oldest first.
    pub(crate) fn packed(&self, first: usize) -> impl Iterator<Item = Packed<'_>> {
        let skipped: usize = self.lines.iter().take(first).map(|line| num::index(line >> 2)).sum();
        let mut at = self.start + skipped;
        self.lines.iter().skip(first).map(move |&line| {
            let from = at;
            at += num::index(line >> 2);
            Packed {
                bytes: &self.bytes[from..at],
                wrapped: line & WRAPPED != 0,
                prompt: line & PROMPT != 0,
            }
        })
    }

    /// Packed size of each row, oldest first.
    pub(crate) fn sizes(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.lines.iter().map(|line| num::index(line >> 2))
    }

    /// Marks the extras that rows name.
    pub(crate) fn mark(&self, marks: &mut [bool]) {
        for line in self.packed(0) {
            for run in line.runs() {
                if let Some(mark) = marks.get_mut(num::index(run.style.extra())) {
                    *mark = true;
                }
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.lines.capacity() * size_of::<u32>()
    }

    fn pack(&mut self, row: &Row, clusters: &Clusters) {
        let end = row.cells().iter().rposition(|cell| *cell != Cell::BLANK).map_or(0, |x| x + 1);
        let cells = &row.cells()[..end];
        if self.bytes.capacity() - self.bytes.len() < end {
            self.bytes.reserve_exact(end + self.bytes.len() / 4);
        }
        let mut style = Style::DEFAULT;
        let mut rest = cells;
        while let [first, ..] = rest {
            let of = first.style;
            let mut bits = 0;
            let mut len = 0;
            for cell in rest.iter().take_while(|cell| cell.style == of) {
                bits |= cell.glyph.bits();
                len += 1;
            }
            let (run, after) = rest.split_at(len);
            rest = after;
            if bits < 0x80 {
                self.head(NARROW, of, &mut style);
                push_len(&mut self.bytes, len);
                self.bytes.extend(run.iter().map(|cell| num::low(cell.glyph.bits())));
            } else {
                self.pack_mixed(run, of, &mut style, clusters);
            }
        }
    }

    /// Packs a run of one style in which not all is ASCII.
    fn pack_mixed(&mut self, run: &[Cell], of: Style, last: &mut Style, clusters: &Clusters) {
        let mut text = [0; TEXT_MAX_BYTES];
        let mut rest = run;
        while !rest.is_empty() {
            let kind = kind(rest);
            self.head(kind, of, last);
            if kind & KIND == CLUSTER {
                rest = self.pack_cluster(rest, kind, clusters);
                continue;
            }
            let step = if kind == WIDE { 2 } else { 1 };
            let mut len = 0;
            while !rest.is_empty() && len + 4 <= TEXT_MAX_BYTES && self::kind(rest) == kind {
                let code = rest[0].glyph.code_point();
                len += encode(code, &mut text[len..]);
                rest = &rest[step..];
            }
            push_len(&mut self.bytes, len);
            self.bytes.extend_from_slice(&text[..len]);
        }
    }

    /// Packs the cell that `rest` starts with as a cluster; gives what follows it.
    fn pack_cluster<'a>(&mut self, rest: &'a [Cell], kind: u8, clusters: &Clusters) -> &'a [Cell] {
        let glyph = rest[0].glyph;
        let mut buffer = [0; 4];
        let text = match glyph.place() {
            Some(place) => clusters.bytes(place),
            None if glyph.has_content() => {
                let len = encode(glyph.code_point(), &mut buffer);
                &buffer[..len]
            }
            None => &[],
        };
        push_len(&mut self.bytes, text.len());
        self.bytes.extend_from_slice(text);
        // The second column of a wide cell is understood.
        if kind >> WIDTH_SHIFT == 2 { &rest[2..] } else { &rest[1..] }
    }

    #[inline]
    fn head(&mut self, kind: u8, style: Style, last: &mut Style) {
        if style == *last {
            self.bytes.push(kind);
            return;
        }
        *last = style;
        let present = [style.fg, style.bg, style.ext];
        let mask =
            u8::from(style.fg != 0) | u8::from(style.bg != 0) << 1 | u8::from(style.ext != 0) << 2;
        self.bytes.push(kind | STYLED);
        self.bytes.push(mask);
        for value in present.into_iter().filter(|&value| value != 0) {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// The head of the run that the first of `cells` opens.
#[inline]
fn kind(cells: &[Cell]) -> u8 {
    let glyph = cells[0].glyph;
    if glyph.is_narrow_code() {
        return NARROW;
    }
    match glyph.width() {
        2 if cells.get(1).is_none_or(|next| next.glyph != Glyph::SPACER) => {
            CLUSTER | HALF << WIDTH_SHIFT
        }
        2 if glyph.place().is_none() && glyph.has_content() => WIDE,
        width => CLUSTER | width << WIDTH_SHIFT,
    }
}

/// Writes a code point as UTF-8 to the start of `out`; says how many bytes that took.
#[inline]
fn encode(code: u32, out: &mut [u8]) -> usize {
    if code < 0x80 {
        out[0] = num::low(code);
        return 1;
    }
    char::from_u32(code).map_or(0, |character| character.encode_utf8(out).len())
}

fn push_len(bytes: &mut Vec<u8>, len: usize) {
    let low = num::low(num::word(len & 0x7f));
    if len < 0x80 {
        bytes.push(low);
    } else {
        bytes.push(low | 0x80);
        push_len(bytes, len >> 7);
    }
}

/// One packed row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a> {
    bytes: &'a [u8],
    /// The row continues the one before it.
    pub(crate) wrapped: bool,
    /// A prompt begins here.
    pub(crate) prompt: bool,
}

/// One run of a packed row.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    kind: u8,
    style: Style,
    text: &'a str,
}

impl<'a> Packed<'a> {
    fn runs(self) -> impl Iterator<Item = Run<'a>> {
        let mut rest = self.bytes;
        let mut style = Style::DEFAULT;
        std::iter::from_fn(move || {
            let head = take(&mut rest)?;
            if head & STYLED != 0 {
                let mask = take(&mut rest)?;
                style.fg = take_word(&mut rest, mask & 1 != 0)?;
                style.bg = take_word(&mut rest, mask & 2 != 0)?;
                style.ext = take_word(&mut rest, mask & 4 != 0)?;
            }
            let mut len = 0;
            let mut shift = 0;
            loop {
                let byte = take(&mut rest)?;
                len |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 || shift > 28 {
                    break;
                }
            }
            let (text, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(Run { kind: head, style, text: std::str::from_utf8(text).unwrap_or_default() })
        })
    }
}

fn take(rest: &mut &[u8]) -> Option<u8> {
    let (&first, after) = rest.split_first()?;
    *rest = after;
    Some(first)
}

fn take_word(rest: &mut &[u8], present: bool) -> Option<u32> {
    if !present {
        return Some(0);
    }
    let (word, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_le_bytes(*word))
}

/// The cells of a packed row; its clusters go to `clusters`.
pub(crate) fn unpack(line: Packed<'_>, clusters: &mut Clusters) -> Row {
    let mut row = Row::marked(line.wrapped, line.prompt);
    let mut x = 0;
    for run in line.runs() {
        let style = run.style;
        let spacer = Cell { glyph: Glyph::SPACER, style };
        if run.kind & KIND == CLUSTER {
            let width = run.kind >> WIDTH_SHIFT;
            let mut characters = run.text.chars();
            let glyph = match (characters.next(), characters.next()) {
                (None, _) => Glyph::code(0, width),
                (Some(only), None) => Glyph::code(only.into(), width),
                (Some(_), Some(_)) => Glyph::cluster(clusters.insert(run.text), width),
            };
            row.set(x, Cell { glyph, style });
            x += 1;
            if width == 2 {
                row.set(x, spacer);
                x += 1;
            }
        } else if run.kind & KIND == WIDE {
            for character in run.text.chars() {
                row.set(x, Cell { glyph: Glyph::code(character.into(), 2), style });
                row.set(x + 1, spacer);
                x += 2;
            }
        } else {
            for character in run.text.chars() {
                row.set(x, Cell { glyph: Glyph::code(character.into(), 1), style });
                x += 1;
            }
        }
    }
    row
}
