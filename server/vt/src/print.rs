//! Printing: a character into its cell, or into the cell of the cluster it continues.
//!
//! The order of checks is that of xterm.js, since it decides what becomes of wide characters that
//! are cut in half and of clusters that grow at the end of a line.

use crate::cell::{Cell, Glyph};
use crate::grid::Grid;
use crate::row::Row;
use crate::screen::Screen;
use crate::width;

impl Screen {
    /// Prints a run of printable ASCII.
    pub(crate) fn print_ascii(&mut self, mut run: &[u8]) {
        if self.modes.insert || self.charsets.active.is_some() {
            for &byte in run {
                let character = self.charsets.active.map_or(byte.into(), |set| set.map(byte));
                self.print(character.into());
            }
            return;
        }
        let Some(&last) = run.last() else { return };
        self.join = width::after_ascii(last);
        let cell = Cell { glyph: Glyph::BLANK, style: self.style };
        let cols = self.cols;
        while !run.is_empty() {
            if self.buffer().x >= cols && !self.wrap() {
                // Without wrapping, what does not fit replaces the last cell.
                self.buffer_mut().x = cols - 1;
                run = &run[run.len() - 1..];
            }
            let buffer = self.buffer_mut();
            let (x, y) = (buffer.x, buffer.y);
            let (now, later) = run.split_at(run.len().min(cols - x));
            let row = buffer.grid.row_mut(y);
            heal_before(row, x, cell);
            row.set_ascii(x, now, cell);
            buffer.x = x + now.len();
            heal_after(row, buffer.x, cell, cols);
            run = later;
        }
    }

    /// Prints a run of characters past ASCII.
    pub(crate) fn print_text(&mut self, mut run: &[u32]) {
        let style = self.style;
        let blank = Cell { glyph: Glyph::BLANK, style };
        let (cols, widths, insert) = (self.cols, self.widths, self.modes.insert);
        loop {
            // As long as each opens a cell and fits, all that matters is the row.
            let mut join = self.join;
            let buffer = self.buffer_mut();
            let mut x = buffer.x;
            let row = buffer.grid.row_mut(buffer.y);
            heal_before(row, x, blank);
            let taken = run.iter().position(|&code| {
                let step = widths.step(code, join);
                let width = width::width(step);
                let end = x + usize::from(width);
                if insert || width::joins(step) || end > cols {
                    return true;
                }
                row.put(x, Cell { glyph: Glyph::code(code, width), style }, width);
                join = step;
                x = end;
                false
            });
            heal_after(row, x, blank, cols);
            buffer.x = x;
            self.join = join;
            let Some(taken) = taken else { break };
            self.print(run[taken]);
            run = &run[taken + 1..];
            if run.is_empty() {
                break;
            }
        }
    }

    /// Prints a character.
    pub(crate) fn print(&mut self, code: u32) {
        let step = self.widths.step(code, self.join);
        let joins = width::joins(step);
        let width = width::width(step);
        let old = if joins { width::width(self.join) } else { 0 };
        self.join = step;

        let cols = self.cols;
        let cell = Cell { glyph: Glyph::BLANK, style: self.style };
        let buffer = self.buffer_mut();
        let (x, y) = (buffer.x, buffer.y);
        heal_before(buffer.grid.row_mut(y), x, cell);
        if x + usize::from(width) > cols + usize::from(old) {
            if self.modes.autowrap {
                self.wrap_cluster(usize::from(old));
            } else {
                self.buffer_mut().x = cols - 1;
                if width == 2 {
                    self.heal(cell);
                    return;
                }
            }
        }
        if joins && self.buffer().x > 0 {
            self.join_cell(code, width, old);
        } else {
            self.put(code, width);
        }
        self.heal(cell);
    }

    /// Puts a character into a cell of its own.
    #[inline]
    fn put(&mut self, code: u32, width: u8) {
        let cols = self.cols;
        let insert = self.modes.insert;
        let cell = Cell { glyph: Glyph::code(code, width), style: self.style };
        let blank = Cell { glyph: Glyph::BLANK, ..cell };
        let buffer = self.buffer_mut();
        let x = buffer.x;
        let row = buffer.grid.row_mut(buffer.y);
        if insert && width > 0 {
            row.insert(x, width.into(), blank, cols);
            if row.width(cols - 1) == 2 {
                row.set(cols - 1, blank);
            }
        }
        row.put(x, cell, width);
        buffer.x = x + usize::from(width.max(1));
    }

    /// Adds a character to the cell before the cursor, which may widen it.
    fn join_cell(&mut self, code: u32, width: u8, old: u8) {
        let style = self.style;
        let buffer = if self.modes.alt_screen { &mut self.alt } else { &mut self.main };
        let row = buffer.grid.row_mut(buffer.y);
        let back = if row.width(buffer.x - 1) == 0 { 2 } else { 1 };
        let character = char::from_u32(code);
        if let (Some(at), Some(character)) = (buffer.x.checked_sub(back), character) {
            let mut cell = row.get(at);
            cell.glyph = match (cell.glyph.place(), cell.glyph.has_content()) {
                (Some(place), _) => {
                    Glyph::cluster(self.clusters.append(place, character), cell.glyph.width())
                }
                (None, true) => {
                    let first = char::from_u32(cell.glyph.code_point()).unwrap_or(' ');
                    let place = self.clusters.insert_chars([first, character]);
                    Glyph::cluster(place, cell.glyph.width())
                }
                // There is nothing to join: the mark stands alone.
                (None, false) => Glyph::code(code, 1),
            };
            if width > 0 {
                cell.glyph = cell.glyph.with_width(width);
            }
            row.set(at, cell);
        }
        for _ in old..width {
            row.set(buffer.x, Cell { glyph: Glyph::SPACER, style });
            buffer.x += 1;
        }
    }

    /// Goes to the next line, marked as wrapped; false when wrapping is off.
    fn wrap(&mut self) -> bool {
        if self.modes.autowrap {
            self.wrap_cluster(0);
        }
        self.modes.autowrap
    }

    /// Goes to the next line and takes along the cluster before the cursor, `old` columns wide,
    /// which no longer fits.
    fn wrap_cluster(&mut self, old: usize) {
        let cols = self.cols;
        let blank = Cell { glyph: Glyph::BLANK, style: self.style };
        let from = self.buffer().x.saturating_sub(old);
        let row = self.row_at_cursor();
        let taken: [Cell; 2] = [row.get(from), row.get(from + 1)];
        for x in from..cols {
            self.row_at_cursor().set(x, blank);
        }
        self.buffer_mut().x = old;
        if !self.scrolled_down(true) {
            self.row_at_cursor().wrapped = true;
        }
        for (x, cell) in taken.into_iter().enumerate().take(old) {
            self.row_at_cursor().set(x, cell);
        }
    }

    /// One row down; says whether that scrolled.
    fn scrolled_down(&mut self, wrapped: bool) -> bool {
        let buffer = self.buffer();
        let scrolls = buffer.y == buffer.bottom;
        self.down(wrapped);
        scrolls
    }

    fn row_at_cursor(&mut self) -> &mut Row {
        let buffer = self.buffer_mut();
        row(&mut buffer.grid, buffer.y)
    }

    /// Blanks the second half of a wide character whose first half was overwritten.
    #[inline]
    fn heal(&mut self, cell: Cell) {
        let cols = self.cols;
        let buffer = self.buffer_mut();
        heal_after(buffer.grid.row_mut(buffer.y), buffer.x, cell, cols);
    }

    /// Repeats the character before the cursor (REP), if it was just printed.
    ///
    /// A screenful is the most that can make a difference to the screen.
    pub(crate) fn repeat(&mut self, count: usize) {
        if self.join == width::START {
            return;
        }
        let buffer = self.buffer();
        let Some(x) = buffer.x.checked_sub(width::width(self.join).into()) else { return };
        let glyph = buffer.grid.row(buffer.y).get(x).glyph;
        let text = match glyph.place() {
            Some(place) => self.clusters.text(place).to_owned(),
            None if glyph.has_content() => {
                char::from_u32(glyph.code_point()).map(String::from).unwrap_or_default()
            }
            None => return,
        };
        for _ in 0..count.min(self.cols * self.rows) {
            for character in text.chars() {
                let byte = u8::try_from(u32::from(character)).ok().filter(u8::is_ascii);
                match (self.charsets.active, byte) {
                    (Some(set), Some(byte)) => self.print(set.map(byte).into()),
                    _ => self.print(character.into()),
                }
            }
        }
    }
}

fn row(grid: &mut Grid, y: usize) -> &mut Row {
    grid.row_mut(y)
}

/// Blanks the first half of a wide character whose second half is about to be overwritten.
#[inline]
fn heal_before(row: &mut Row, x: usize, cell: Cell) {
    if x > 0 && !row.is_narrow() && row.width(x - 1) == 2 {
        row.set(x - 1, cell);
    }
}

#[inline]
fn heal_after(row: &mut Row, x: usize, cell: Cell, cols: usize) {
    if !row.is_narrow() && x < cols && row.width(x) == 0 && !row.get(x).glyph.has_content() {
        row.set(x, cell);
    }
}
