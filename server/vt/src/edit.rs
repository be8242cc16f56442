//! Erasing, inserting, deleting, scrolling.

use crate::cell::{Cell, Glyph, Style};
use crate::parser::Params;
use crate::row::Row;
use crate::screen::Screen;

impl Screen {
    fn row_mut(&mut self, y: usize) -> &mut Row {
        self.buffer_mut().grid.row_mut(y)
    }

    /// Erases part of a row; `selective` leaves protected cells.
    fn erase_part(&mut self, y: usize, start: usize, end: usize, unwrap: bool, selective: bool) {
        let (cols, erased) = (self.cols, self.erased());
        let row = self.row_mut(y);
        if selective {
            row.replace_unprotected(start, end, erased, cols);
        } else {
            row.replace(start, end, erased, cols);
        }
        if unwrap {
            row.wrapped = false;
        }
    }

    fn erase_row(&mut self, y: usize, selective: bool) {
        let (cols, erased) = (self.cols, self.erased());
        let row = self.row_mut(y);
        if selective {
            row.fill_unprotected(cols, erased);
        } else {
            row.fill(cols, erased);
        }
    }

    /// ED and DECSED.
    pub(crate) fn erase_in_display(&mut self, what: i32, selective: bool) {
        self.restrict(self.cols);
        let (x, y) = (self.buffer().x, self.buffer().y);
        let (cols, rows) = (self.cols, self.rows);
        match what {
            0 => {
                self.erase_part(y, x, cols, x == 0, selective);
                (y + 1..rows).for_each(|y| self.erase_row(y, selective));
            }
            1 => {
                self.erase_part(y, 0, x + 1, true, selective);
                if x + 1 >= cols && y + 1 < rows {
                    self.row_mut(y + 1).wrapped = false;
                }
                (0..y).for_each(|y| self.erase_row(y, selective));
            }
            2 => (0..rows).for_each(|y| self.erase_row(y, selective)),
            3 if !self.modes.alt_screen => self.scrollback.clear(),
            _ => {}
        }
    }

    /// EL and DECSEL.
    pub(crate) fn erase_in_line(&mut self, what: i32, selective: bool) {
        self.restrict(self.cols);
        let (x, y) = (self.buffer().x, self.buffer().y);
        let cols = self.cols;
        match what {
            0 => self.erase_part(y, x, cols, x == 0, selective),
            1 => self.erase_part(y, 0, x + 1, false, selective),
            2 => self.erase_part(y, 0, cols, true, selective),
            _ => {}
        }
    }

    /// ECH.
    pub(crate) fn erase_chars(&mut self, params: &Params) {
        self.restrict_to_cells();
        let (x, y) = (self.buffer().x, self.buffer().y);
        self.erase_part(y, x, x + params.count(0, self.cols), false, false);
    }

    /// ICH.
    pub(crate) fn insert_chars(&mut self, params: &Params) {
        self.restrict_to_cells();
        let (cols, erased) = (self.cols, self.erased());
        let (x, y) = (self.buffer().x, self.buffer().y);
        self.row_mut(y).insert(x, params.count(0, cols), erased, cols);
    }

    /// DCH.
    pub(crate) fn delete_chars(&mut self, params: &Params) {
        self.restrict_to_cells();
        let (cols, erased) = (self.cols, self.erased());
        let (x, y) = (self.buffer().x, self.buffer().y);
        self.row_mut(y).delete(x, params.count(0, cols), erased, cols);
    }

    /// Whether the cursor's row is in the scrolling region.
    fn in_region(&self) -> bool {
        let buffer = self.buffer();
        (buffer.top..=buffer.bottom).contains(&buffer.y)
    }

    /// Scrolls the rows from `first` to the bottom margin.
    fn scroll_rows(&mut self, first: usize, params: &Params, down: bool, fill: Cell) {
        let cols = self.cols;
        let buffer = self.buffer_mut();
        let last = buffer.bottom;
        if first > last {
            return;
        }
        let count = params.count(0, last + 1 - first);
        let fresh = if down {
            buffer.grid.rotate_down(first, last, count);
            first..first + count
        } else {
            buffer.grid.rotate_up(first, last, count);
            last + 1 - count..last + 1
        };
        fresh.for_each(|y| buffer.grid.row_mut(y).fill(cols, fill));
    }

    /// IL.
    pub(crate) fn insert_lines(&mut self, params: &Params) {
        self.shift_lines(params, true);
    }

    /// DL.
    pub(crate) fn delete_lines(&mut self, params: &Params) {
        self.shift_lines(params, false);
    }

    fn shift_lines(&mut self, params: &Params, down: bool) {
        self.restrict_to_cells();
        if self.in_region() {
            let y = self.buffer().y;
            self.scroll_rows(y, params, down, self.erased());
            self.buffer_mut().x = 0;
        }
    }

    /// SU. What leaves at the top does not go to history.
    pub(crate) fn scroll_up(&mut self, params: &Params) {
        self.scroll_rows(self.buffer().top, params, false, self.erased());
    }

    /// SD. The new rows have no color, in xterm.js.
    pub(crate) fn scroll_down(&mut self, params: &Params) {
        self.scroll_rows(self.buffer().top, params, true, Cell::BLANK);
    }

    /// SL, SR, DECIC, DECDC: shifts the cells of every row of the region at `x`.
    pub(crate) fn shift_columns(&mut self, x: usize, params: &Params, insert: bool) {
        if !self.in_region() {
            return;
        }
        let (cols, erased) = (self.cols, self.erased());
        let count = params.count(0, cols);
        let (top, bottom) = (self.buffer().top, self.buffer().bottom);
        for y in top..=bottom {
            let row = self.row_mut(y);
            if insert {
                row.insert(x, count, erased, cols);
            } else {
                row.delete(x, count, erased, cols);
            }
            row.wrapped = false;
        }
    }

    /// RI.
    pub(crate) fn reverse_index(&mut self) {
        self.restrict_to_cells();
        let (cols, erased) = (self.cols, self.erased());
        let buffer = self.buffer_mut();
        if buffer.y == buffer.top {
            let (top, bottom) = (buffer.top, buffer.bottom);
            buffer.grid.rotate_down(top, bottom, 1);
            buffer.grid.row_mut(top).fill(cols, erased);
        } else {
            buffer.y = buffer.y.saturating_sub(1);
            self.restrict_to_cells();
        }
    }

    /// DECALN.
    pub(crate) fn alignment_pattern(&mut self) {
        // Without link, underline style and underline color.
        let style = Style { ext: 0, ..self.style };
        self.move_to(0, 0);
        let from = self.buffer().y;
        let (cols, rows) = (self.cols, self.rows);
        let cell = Cell { glyph: Glyph::ascii(b'E'), style };
        for y in from..rows {
            self.row_mut(y).fill(cols, cell);
        }
        self.move_to(0, 0);
    }
}
