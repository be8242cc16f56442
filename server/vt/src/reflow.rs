//! Resizing: what becomes of rows when the screen gets wider, narrower, higher or lower.
//!
//! Wrapped lines are laid out anew on the main screen, but for the line the cursor is in: its
//! program repaints it. The steps, and the sums done with the viewport in between, are those of
//! xterm.js, so that a viewer that resizes ends where the host does.

use crate::buffer::Buffer;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::row::Row;
use crate::screen::Screen;
use crate::scrollback::Scrollback;

impl Screen {
    /// Takes a new size. The caller has made sure of the least size.
    pub(crate) fn resize(&mut self, cols: usize, rows: usize) {
        let (old_cols, old_rows) = (self.cols, self.rows);
        if (cols, rows) == (old_cols, old_rows) {
            return;
        }
        let mut lines = Lines::new(&mut self.main, self.scrollback.rows(&mut self.clusters));
        let history = self.scrollback.max_lines();
        lines.set_height(old_rows, rows, old_rows + history, rows + history);
        lines.keep_cursor(cols, rows);
        lines.reflow(old_cols, cols, rows, rows + history);
        lines.cut(cols);
        let scrollback = Scrollback::new(history);
        self.scrollback = lines.store(&mut self.main, rows, scrollback, &self.clusters);

        if self.modes.alt_screen {
            let mut lines = Lines::new(&mut self.alt, Vec::new());
            lines.set_height(old_rows, rows, old_rows, rows);
            lines.keep_cursor(cols, rows);
            if cols > old_cols {
                // What is beyond the edge of a narrower alternate screen is kept until it grows.
                lines.cut(cols);
            }
            lines.store(&mut self.alt, rows, Scrollback::new(0), &self.clusters);
        } else {
            self.alt.grid = Grid::new(rows);
            self.alt.top = 0;
            self.alt.bottom = rows - 1;
        }
        for buffer in [&mut self.main, &mut self.alt] {
            buffer.tabs.resize(cols);
        }
        self.cols = cols;
        self.rows = rows;
        self.collect();
    }
}

/// History and screen as one list of rows.
struct Lines {
    rows: Vec<Row>,
    /// Rows above the screen.
    base: usize,
    x: usize,
    y: usize,
    saved_x: usize,
    saved_y: usize,
    /// Rows the cursor moved down because history came back.
    added: usize,
}

impl Lines {
    fn new(buffer: &mut Buffer, history: Vec<Row>) -> Self {
        let base = history.len();
        let mut rows = history;
        rows.append(&mut buffer.grid.take_rows());
        Self {
            rows,
            base,
            x: buffer.x,
            y: buffer.y,
            saved_x: buffer.saved.x,
            saved_y: buffer.saved.y,
            added: 0,
        }
    }

    /// Adds rows at the bottom or brings them back from history; removes blank rows below the
    /// cursor or sends rows to history. `most` is how many rows there may then be.
    fn set_height(&mut self, old: usize, new: usize, old_most: usize, most: usize) {
        for _ in old..new {
            if self.rows.len() >= new + self.base {
                continue;
            }
            if self.base > 0 && self.rows.len() <= self.base + self.y + self.added + 1 {
                self.base -= 1;
                self.added += 1;
            } else {
                self.rows.push(Row::default());
            }
        }
        for _ in new..old {
            if self.rows.len() <= new + self.base {
                continue;
            }
            if self.rows.len() > self.base + self.y + 1 {
                self.rows.pop();
            } else {
                self.base += 1;
            }
        }
        if most < old_most && self.rows.len() > most {
            let excess = self.rows.len() - most;
            self.rows.drain(..excess);
            self.base = self.base.saturating_sub(excess);
            self.saved_y = self.saved_y.saturating_sub(excess);
        }
    }

    fn keep_cursor(&mut self, cols: usize, rows: usize) {
        self.x = self.x.min(cols - 1);
        self.y = self.y.min(rows - 1) + self.added;
        self.saved_x = self.saved_x.min(cols - 1);
    }

    fn reflow(&mut self, old_cols: usize, cols: usize, rows: usize, most: usize) {
        if cols > old_cols {
            self.widen(old_cols, cols, rows);
        } else if cols < old_cols {
            self.narrow(old_cols, cols, rows, most);
        }
    }

    /// The end of the wrapped line that starts at row `first`.
    fn line_end(&self, first: usize) -> usize {
        let after = self.rows[first + 1..].iter().take_while(|row| row.wrapped).count();
        first + 1 + after
    }

    fn has_cursor(&self, first: usize, end: usize) -> bool {
        (first..end).contains(&(self.base + self.y))
    }

    fn widen(&mut self, old_cols: usize, cols: usize, rows: usize) {
        let mut kept = Vec::with_capacity(self.rows.len());
        let mut first = 0;
        while first < self.rows.len() {
            let end = self.line_end(first);
            let mut line: Vec<Row> = self.rows[first..end].iter_mut().map(std::mem::take).collect();
            if line.len() > 1 && !self.has_cursor(first, end) {
                let keep = widen_line(&mut line, old_cols, cols);
                line.truncate(keep);
            }
            kept.append(&mut line);
            first = end;
        }
        let removed = self.rows.len() - kept.len();
        self.rows = kept;
        for _ in 0..removed {
            if self.base > 0 {
                self.base -= 1;
                continue;
            }
            self.y = self.y.saturating_sub(1);
            if self.rows.len() < rows {
                self.rows.push(Row::default());
            }
        }
        self.saved_y = self.saved_y.saturating_sub(removed);
    }

    fn narrow(&mut self, old_cols: usize, cols: usize, rows: usize, most: usize) {
        // Rows to add, by the row they go before in the old list and all rows added further down.
        let mut insertions: Vec<(usize, Vec<Row>)> = Vec::new();
        let mut inserted = 0;
        let mut at = self.rows.len();
        while at > 0 {
            at -= 1;
            let Some(last) = self.rows.get(at) else { continue };
            if !last.wrapped && last.trimmed_len() <= cols {
                continue;
            }
            let end = at + 1;
            while at > 0 && self.rows[at].wrapped {
                at -= 1;
            }
            if self.has_cursor(at, end) {
                continue;
            }
            let mut line: Vec<Row> = self.rows[at..end].iter_mut().map(std::mem::take).collect();
            let lengths = narrow_lengths(&line, old_cols, cols);
            let extra = lengths.len().saturating_sub(line.len());
            let shrinks = lengths.len() < line.len();
            let over = if self.base == 0 && self.y + 1 != self.rows.len() {
                (self.y + extra).saturating_sub(most)
            } else {
                (self.rows.len() + extra).saturating_sub(most)
            };
            narrow_line(&mut line, &lengths, old_cols, cols);
            let added = line.split_off(end - at);
            for (slot, row) in self.rows[at..end].iter_mut().zip(line) {
                *slot = row;
            }
            if !added.is_empty() {
                insertions.push((end + inserted, added));
                inserted += extra;
            }
            for _ in over..extra {
                if self.base > 0 {
                    let room = most.min(self.rows.len() + inserted).saturating_sub(rows);
                    self.base += usize::from(self.base < room);
                } else if self.y + 1 < rows {
                    self.y += 1;
                    self.rows.pop();
                } else {
                    self.base += 1;
                }
            }
            let saved = if shrinks { self.saved_y.saturating_sub(1) } else { self.saved_y + extra };
            self.saved_y = saved.min((self.base + rows).saturating_sub(1));
        }
        self.insert(insertions, inserted, most);
    }

    /// Puts the added rows into the list, from its end; what does not fit at its start is lost.
    fn insert(&mut self, insertions: Vec<(usize, Vec<Row>)>, inserted: usize, most: usize) {
        if insertions.is_empty() {
            return;
        }
        let total = most.min(self.rows.len() + inserted);
        let mut reversed = Vec::with_capacity(total);
        let mut insertions = insertions.into_iter().peekable();
        let mut so_far = 0;
        while reversed.len() < total {
            let left = self.rows.len() + so_far;
            if let Some((_, added)) = insertions.next_if(|(start, _)| *start >= left) {
                so_far += added.len();
                reversed.extend(added.into_iter().rev());
            } else if let Some(row) = self.rows.pop() {
                reversed.push(row);
            } else {
                break;
            }
        }
        reversed.truncate(total);
        reversed.reverse();
        self.rows = reversed;
    }

    fn cut(&mut self, cols: usize) {
        self.rows.iter_mut().for_each(|row| row.truncate(cols));
    }

    /// Puts the rows back: the screen's into `buffer`, those above it into the history returned.
    fn store(
        mut self,
        buffer: &mut Buffer,
        rows: usize,
        mut history: Scrollback,
        clusters: &crate::clusters::Clusters,
    ) -> Scrollback {
        self.rows.resize_with(self.base + rows, Row::default);
        let screen = self.rows.split_off(self.base);
        for row in &self.rows {
            history.push(row, clusters);
        }
        buffer.grid = Grid::from_rows(screen);
        buffer.x = self.x;
        buffer.y = self.y.min(rows - 1);
        buffer.saved.x = self.saved_x;
        buffer.saved.y = self.saved_y;
        buffer.top = 0;
        buffer.bottom = rows - 1;
        history
    }
}

/// Columns of row `at` of a wrapped line that hold text. Its last cell does not count when it is
/// only empty because a wide character did not fit.
fn filled_len(line: &[Row], at: usize, cols: usize) -> usize {
    let Some(next) = line.get(at + 1) else { return line[at].trimmed_len() };
    let last = line[at].get(cols - 1).glyph;
    let left_out = !last.has_content() && last.width() == 1 && next.width(0) == 2;
    if left_out { cols - 1 } else { cols }
}

/// Copies cells between rows of a line, or within one.
fn copy(line: &mut [Row], from: (usize, usize), to: (usize, usize), count: usize, reverse: bool) {
    let copy_one = |line: &mut [Row], offset: usize| {
        let cell = line[from.0].get(from.1 + offset);
        line[to.0].set(to.1 + offset, cell);
    };
    if reverse {
        (0..count).rev().for_each(|offset| copy_one(line, offset));
    } else {
        (0..count).for_each(|offset| copy_one(line, offset));
    }
}

/// Lays a wrapped line out in more columns; says how many of its rows are left.
fn widen_line(line: &mut [Row], old_cols: usize, cols: usize) -> usize {
    let mut to = (0, filled_len(line, 0, old_cols));
    let mut from = (1, 0);
    while from.0 < line.len() {
        let filled = filled_len(line, from.0, old_cols);
        let count = filled.saturating_sub(from.1).min(cols.saturating_sub(to.1));
        copy(line, from, to, count, false);
        to.1 += count;
        if to.1 == cols {
            to = (to.0 + 1, 0);
        }
        from.1 += count;
        if from.1 >= filled {
            from = (from.0 + 1, 0);
        }
        if to.1 == 0 && to.0 != 0 && line[to.0 - 1].width(cols - 1) == 2 && to.0 < line.len() {
            copy(line, (to.0 - 1, cols - 1), to, 1, false);
            to.1 = 1;
            line[to.0 - 1].set(cols - 1, Cell::BLANK);
        }
    }
    if let Some(row) = line.get_mut(to.0) {
        row.replace(to.1, cols, Cell::BLANK, cols);
    }
    let last =
        (1..line.len()).rev().find(|&at| at <= to.0 && line[at].trimmed_len() > 0).unwrap_or(0);
    last + 1
}

/// Lengths of the rows of a wrapped line when it is laid out in fewer columns.
fn narrow_lengths(line: &[Row], old_cols: usize, cols: usize) -> Vec<usize> {
    let needed: usize = (0..line.len()).map(|at| filled_len(line, at, old_cols)).sum();
    let mut lengths = Vec::new();
    let (mut at, mut x, mut done) = (0, 0, 0);
    while done < needed {
        if needed - done < cols {
            lengths.push(needed - done);
            break;
        }
        x += cols;
        let filled = filled_len(line, at.min(line.len() - 1), old_cols);
        if x > filled {
            x -= filled;
            at += 1;
        }
        let cuts = line.get(at).is_some_and(|row| x > 0 && row.width(x - 1) == 2);
        if cuts {
            x -= 1;
        }
        let len = if cuts { cols - 1 } else { cols };
        lengths.push(len);
        done += len;
    }
    lengths
}

/// Lays a wrapped line out in rows of these lengths, adding rows; from the end, so that nothing is
/// overwritten that is still to be copied.
fn narrow_line(line: &mut Vec<Row>, lengths: &[usize], old_cols: usize, cols: usize) {
    let old_len = line.len();
    let mut from = (old_len - 1, line[old_len - 1].trimmed_len());
    if lengths.len() > old_len {
        line.resize_with(lengths.len(), || Row::marked(true, false));
    }
    let Some(mut to_row) = lengths.len().checked_sub(1) else { return };
    let mut to_x = lengths[to_row];
    loop {
        let count = from.1.min(to_x);
        copy(line, (from.0, from.1 - count), (to_row, to_x - count), count, true);
        to_x -= count;
        from.1 -= count;
        if to_x == 0 {
            let Some(above) = to_row.checked_sub(1) else { break };
            to_row = above;
            to_x = lengths[to_row];
        }
        if from.1 == 0 {
            let Some(above) = from.0.checked_sub(1) else { break };
            from = (above, filled_len(line, above, old_cols));
        }
    }
    for (row, &len) in line.iter_mut().zip(lengths) {
        if len < cols {
            row.set(len, Cell::BLANK);
        }
    }
}
