//! The rows of one screen, as a ring: scrolling by a line moves an index.

use crate::cell::Cell;
use crate::row::Row;

/// Rows from the top of the screen to its bottom; there is always at least one.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    rows: Vec<Row>,
    /// Index in `rows` of the top row.
    top: usize,
}

impl Grid {
    /// Blank rows.
    pub(crate) fn new(rows: usize) -> Self {
        Self { rows: vec![Row::default(); rows.max(1)], top: 0 }
    }

    /// A grid of these rows.
    pub(crate) fn from_rows(rows: Vec<Row>) -> Self {
        if rows.is_empty() { Self::new(1) } else { Self { rows, top: 0 } }
    }

    /// The rows, top first; the grid is left with one.
    pub(crate) fn take_rows(&mut self) -> Vec<Row> {
        self.rows.rotate_left(self.top);
        self.top = 0;
        std::mem::replace(&mut self.rows, vec![Row::default()])
    }

    #[inline]
    fn at(&self, y: usize) -> usize {
        let at = self.top + y;
        if at >= self.rows.len() { at - self.rows.len() } else { at }
    }

    /// The row `y` from the top; past the end it is the last.
    #[inline]
    pub(crate) fn row(&self, y: usize) -> &Row {
        &self.rows[self.at(y.min(self.rows.len() - 1))]
    }

    /// The same, to change it.
    #[inline]
    pub(crate) fn row_mut(&mut self, y: usize) -> &mut Row {
        let at = self.at(y.min(self.rows.len() - 1));
        &mut self.rows[at]
    }

    /// Moves the whole screen up by a row; the new bottom row is what the top row was.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.top = self.at(1 % self.rows.len());
    }

    /// Moves the rows from `first` to `last` up by `count`, the top ones to the bottom.
    pub(crate) fn rotate_up(&mut self, first: usize, last: usize, count: usize) {
        self.reverse(first, first + count);
        self.reverse(first + count, last + 1);
        self.reverse(first, last + 1);
    }

    /// Moves the rows from `first` to `last` down by `count`, the bottom ones to the top.
    pub(crate) fn rotate_down(&mut self, first: usize, last: usize, count: usize) {
        self.rotate_up(first, last, last + 1 - first - count);
    }

    fn reverse(&mut self, from: usize, to: usize) {
        let (mut low, mut high) = (from, to);
        while low + 1 < high {
            high -= 1;
            let (a, b) = (self.at(low), self.at(high));
            self.rows.swap(a, b);
            low += 1;
        }
    }

    /// Makes every row blank in `fill`.
    pub(crate) fn fill(&mut self, cols: usize, fill: Cell) {
        for row in &mut self.rows {
            row.fill(cols, fill);
        }
    }

    /// All rows, in no particular order.
    pub(crate) fn all_mut(&mut self) -> &mut [Row] {
        &mut self.rows
    }

    /// All rows, in no particular order.
    pub(crate) fn all(&self) -> &[Row] {
        &self.rows
    }
}
