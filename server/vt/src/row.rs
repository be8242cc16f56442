//! One row of cells, and the edits that stay within it.
//!
//! Cells beyond the stored ones are blank, so clearing a row costs nothing. Every edit keeps wide
//! characters whole the way xterm.js does: one whose half is overwritten becomes a blank in the
//! style of the edit.

use crate::cell::{Cell, Glyph};

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    /// The row continues the one above it.
    pub(crate) wrapped: bool,
    /// A prompt begins here (OSC 133 A).
    pub(crate) prompt: bool,
    /// Some glyph may not be one column wide.
    wide: bool,
}

impl Row {
    /// A blank row with these marks.
    pub(crate) fn marked(wrapped: bool, prompt: bool) -> Self {
        Self { wrapped, prompt, ..Self::default() }
    }

    /// The stored cells; what follows is blank.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The stored cells, to rewrite references in them.
    pub(crate) fn cells_mut(&mut self) -> &mut [Cell] {
        &mut self.cells
    }

    /// The cell at column `x`.
    #[inline]
    pub(crate) fn get(&self, x: usize) -> Cell {
        self.cells.get(x).copied().unwrap_or(Cell::BLANK)
    }

    /// Width of the glyph at column `x`.
    #[inline]
    pub(crate) fn width(&self, x: usize) -> u8 {
        if self.wide { self.get(x).glyph.width() } else { 1 }
    }

    /// Whether every stored glyph is one column wide.
    #[inline]
    pub(crate) fn is_narrow(&self) -> bool {
        !self.wide
    }

    /// Puts a cell at column `x`.
    #[inline]
    pub(crate) fn set(&mut self, x: usize, cell: Cell) {
        self.wide |= cell.glyph.width() != 1;
        if let Some(slot) = self.cells.get_mut(x) {
            *slot = cell;
        } else {
            self.cells.resize(x, Cell::BLANK);
            self.cells.push(cell);
        }
    }

    /// Puts a cell of `width` columns at column `x`, with its second column if it has one.
    #[inline]
    pub(crate) fn put(&mut self, x: usize, cell: Cell, width: u8) {
        if width == 2 {
            let pair = [cell, Cell { glyph: Glyph::SPACER, ..cell }];
            self.wide = true;
            if x == self.cells.len() {
                self.cells.extend_from_slice(&pair);
            } else {
                self.set(x, pair[0]);
                self.set(x + 1, pair[1]);
            }
        } else {
            self.set(x, cell);
        }
    }

    /// Puts a run of printable ASCII at column `x`.
    #[inline]
    pub(crate) fn set_ascii(&mut self, x: usize, bytes: &[u8], cell: Cell) {
        if self.cells.len() < x {
            self.cells.resize(x, Cell::BLANK);
        }
        let over = bytes.len().min(self.cells.len() - x);
        let (old, new) = bytes.split_at(over);
        for (slot, &byte) in self.cells[x..].iter_mut().zip(old) {
            *slot = Cell { glyph: Glyph::ascii(byte), ..cell };
        }
        self.cells.extend(new.iter().map(|&byte| Cell { glyph: Glyph::ascii(byte), ..cell }));
    }

    /// Makes the row blank in `fill`, no longer wrapped.
    pub(crate) fn fill(&mut self, cols: usize, fill: Cell) {
        self.cells.clear();
        self.wide = false;
        self.wrapped = false;
        self.prompt = false;
        if fill != Cell::BLANK {
            self.cells.resize(cols, fill);
        }
    }

    /// Fills what is not protected.
    pub(crate) fn fill_unprotected(&mut self, cols: usize, fill: Cell) {
        for x in 0..cols {
            if !self.get(x).is_protected() {
                self.set(x, fill);
            }
        }
        self.wrapped = false;
    }

    /// Replaces the cells from `start` to before `end`.
    pub(crate) fn replace(&mut self, start: usize, end: usize, fill: Cell, cols: usize) {
        if start > 0 && self.width(start - 1) == 2 {
            self.set(start - 1, fill);
        }
        if end < cols && end > 0 && self.width(end - 1) == 2 {
            self.set(end, fill);
        }
        let end = end.min(cols);
        if start >= end {
            return;
        }
        if fill == Cell::BLANK && end >= self.cells.len() {
            self.cells.truncate(start);
            return;
        }
        if self.cells.len() < end {
            self.cells.resize(end, Cell::BLANK);
        }
        self.cells[start..end].fill(fill);
    }

    /// The same, but for protected cells.
    pub(crate) fn replace_unprotected(
        &mut self,
        start: usize,
        end: usize,
        fill: Cell,
        cols: usize,
    ) {
        if start > 0 && self.width(start - 1) == 2 && !self.get(start - 1).is_protected() {
            self.set(start - 1, fill);
        }
        if end < cols && end > 0 && self.width(end - 1) == 2 && !self.get(end).is_protected() {
            self.set(end, fill);
        }
        for x in start..end.min(cols) {
            if !self.get(x).is_protected() {
                self.set(x, fill);
            }
        }
    }

    /// Shifts what is at `x` and after to the right by `count`; what leaves the row is lost.
    pub(crate) fn insert(&mut self, x: usize, count: usize, fill: Cell, cols: usize) {
        let x = x % cols;
        if x > 0 && self.width(x - 1) == 2 {
            self.set(x - 1, fill);
        }
        if count < cols - x {
            if self.cells.len() > x || fill != Cell::BLANK {
                self.cells.resize(cols, Cell::BLANK);
                self.cells.copy_within(x..cols - count, x + count);
                self.cells[x..x + count].fill(fill);
            }
        } else {
            self.replace_plain(x, fill, cols);
        }
        if self.width(cols - 1) == 2 {
            self.set(cols - 1, fill);
        }
    }

    /// Removes `count` cells at `x`; what follows moves up, and the end is filled.
    pub(crate) fn delete(&mut self, x: usize, count: usize, fill: Cell, cols: usize) {
        let x = x % cols;
        if count < cols - x {
            if self.cells.len() > x || fill != Cell::BLANK {
                self.cells.resize(cols, Cell::BLANK);
                self.cells.copy_within(x + count.., x);
                self.cells[cols - count..].fill(fill);
            }
        } else {
            self.replace_plain(x, fill, cols);
        }
        if x > 0 && self.width(x - 1) == 2 {
            self.set(x - 1, fill);
        }
        if self.width(x) == 0 && !self.get(x).glyph.has_content() {
            self.set(x, fill);
        }
    }

    /// Fills from `x` on without regard to halves.
    fn replace_plain(&mut self, x: usize, fill: Cell, cols: usize) {
        self.cells.truncate(x);
        if fill != Cell::BLANK {
            self.cells.resize(x, Cell::BLANK);
            self.cells.resize(cols, fill);
        }
    }

    /// Columns up to the last content.
    pub(crate) fn trimmed_len(&self) -> usize {
        self.cells
            .iter()
            .rposition(|cell| cell.glyph.has_content())
            .map_or(0, |last| last + usize::from(self.cells[last].glyph.width()))
    }

    /// Cuts the row to `cols` columns.
    pub(crate) fn truncate(&mut self, cols: usize) {
        self.cells.truncate(cols);
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
    }
}
