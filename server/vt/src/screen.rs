//! All the state of a terminal but the parser's, and how the cursor moves.
//!
//! Text arrives in `print`, sequences in `csi`; what they share is here. Behaviour is that of
//! xterm.js 6, also where other terminals differ, because that is what draws for people.

use std::collections::VecDeque;

use crate::buffer::{Buffer, Saved};
use crate::cell::{Cell, Glyph, Style};
use crate::charset::Charsets;
use crate::clusters::Clusters;
use crate::events::Events;
use crate::extras::Extras;
use crate::grid::Grid;
use crate::modes::Modes;
use crate::palette::Palette;
use crate::pen::Pen;
use crate::reply::Replies;
use crate::scrollback::Scrollback;
use crate::width::{self, Step, Widths};
use crate::{CellSize, Size, Theme, num};

/// The state.
#[derive(Debug)]
pub(crate) struct Screen {
    pub(crate) cols: usize,
    pub(crate) rows: usize,
    pub(crate) main: Buffer,
    pub(crate) alt: Buffer,
    pub(crate) scrollback: Scrollback,
    pub(crate) clusters: Clusters,
    pub(crate) extras: Extras,
    pub(crate) pen: Pen,
    /// Style of the pen in a cell; follows `pen`.
    pub(crate) style: Style,
    /// The last printed character, as far as the next may join it.
    pub(crate) join: Step,
    pub(crate) charsets: Charsets,
    pub(crate) modes: Modes,
    pub(crate) palette: Palette,
    pub(crate) title: String,
    /// The working directory, as the program's last OSC 7 gave it.
    pub(crate) cwd: String,
    pub(crate) theme: Theme,
    pub(crate) cell_size: CellSize,
    pub(crate) replies: Replies,
    pub(crate) events: Events,
    pub(crate) widths: &'static Widths,
}

impl Screen {
    /// A blank terminal.
    pub(crate) fn new(size: Size, scrollback_lines: usize) -> Self {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        Self {
            cols,
            rows,
            main: Buffer::new(cols, rows),
            alt: Buffer::new(cols, rows),
            scrollback: Scrollback::new(scrollback_lines),
            clusters: Clusters::default(),
            extras: Extras::default(),
            pen: Pen::default(),
            style: Style::DEFAULT,
            join: width::START,
            charsets: Charsets::default(),
            modes: Modes::default(),
            palette: Palette::default(),
            title: String::new(),
            cwd: String::new(),
            theme: Theme::default(),
            cell_size: CellSize::default(),
            replies: Replies::default(),
            events: Events(VecDeque::new()),
            widths: Widths::get(),
        }
    }

    /// The shown screen.
    #[inline]
    pub(crate) fn buffer(&self) -> &Buffer {
        if self.modes.alt_screen { &self.alt } else { &self.main }
    }

    /// The shown screen.
    #[inline]
    pub(crate) fn buffer_mut(&mut self) -> &mut Buffer {
        if self.modes.alt_screen { &mut self.alt } else { &mut self.main }
    }

    /// Rows of history above the shown screen.
    pub(crate) fn base(&self) -> usize {
        if self.modes.alt_screen { 0 } else { self.scrollback.len() }
    }

    /// What an erase leaves behind now.
    pub(crate) fn erased(&self) -> Cell {
        Cell::blank(self.style.erased())
    }

    /// Follows a change of the pen.
    pub(crate) fn update_style(&mut self) {
        self.style = self.pen.style(&mut self.extras);
    }

    /// Keeps the cursor on the screen, in origin mode within the margins; `last` is the last
    /// column it may be at.
    pub(crate) fn restrict(&mut self, last: usize) {
        let (origin, rows) = (self.modes.origin, self.rows);
        let buffer = self.buffer_mut();
        buffer.x = buffer.x.min(last);
        buffer.y = if origin {
            buffer.y.max(buffer.top).min(buffer.bottom)
        } else {
            buffer.y.min(rows - 1)
        };
    }

    /// Keeps the cursor on a cell.
    pub(crate) fn restrict_to_cells(&mut self) {
        self.restrict(self.cols - 1);
    }

    /// Moves the cursor; in origin mode `y` counts from the top margin.
    pub(crate) fn move_to(&mut self, x: usize, y: usize) {
        let origin = self.modes.origin;
        let buffer = self.buffer_mut();
        buffer.x = x;
        buffer.y = if origin { buffer.top.saturating_add(y) } else { y };
        self.restrict_to_cells();
    }

    /// Sets the row by a relative move. In origin mode xterm.js adds the top margin once more.
    pub(crate) fn move_row(&mut self, y: usize) {
        let x = self.buffer().x;
        self.move_to(x, y);
    }

    /// One row down, scrolling at the bottom margin. Says whether the cursor's row changed or
    /// scrolled, and was not merely held at the last row.
    pub(crate) fn down(&mut self, wrapped: bool) -> bool {
        let rows = self.rows;
        let buffer = self.buffer_mut();
        if buffer.y == buffer.bottom {
            self.scroll(wrapped);
            return false;
        }
        buffer.y += 1;
        if buffer.y >= rows {
            buffer.y = rows - 1;
            return false;
        }
        true
    }

    /// Scrolls the region up by a row. With the region at the top, the row goes to history.
    pub(crate) fn scroll(&mut self, wrapped: bool) {
        let erased = self.erased();
        let cols = self.cols;
        let alt = self.modes.alt_screen;
        let buffer = if alt { &mut self.alt } else { &mut self.main };
        let (top, bottom) = (buffer.top, buffer.bottom);
        if top == 0 && !alt {
            self.scrollback.push(buffer.grid.row(0), &self.clusters);
        }
        if top == 0 && bottom + 1 == self.rows {
            buffer.grid.advance();
        } else {
            buffer.grid.rotate_up(top, bottom, 1);
        }
        let row = buffer.grid.row_mut(bottom);
        row.fill(cols, erased);
        row.wrapped = wrapped;
    }

    /// DECSC.
    pub(crate) fn save_cursor(&mut self) {
        let base = self.base();
        let (fg, bg, charset) = (self.pen.fg, self.pen.bg, self.charsets.active);
        let buffer = self.buffer_mut();
        buffer.saved = Saved { x: buffer.x, y: base + buffer.y, fg, bg, charset };
    }

    /// DECRC. The underline style and the link are not among what comes back.
    pub(crate) fn restore_cursor(&mut self) {
        let base = self.base();
        let buffer = self.buffer_mut();
        let saved = buffer.saved;
        buffer.x = saved.x;
        buffer.y = saved.y.saturating_sub(base);
        self.pen.fg = saved.fg;
        self.pen.bg = saved.bg;
        self.charsets.active = saved.charset;
        self.update_style();
        self.restrict_to_cells();
    }

    /// Shows the alternate screen, cleared.
    pub(crate) fn show_alt(&mut self) {
        if self.modes.alt_screen {
            return;
        }
        let erased = self.erased();
        self.alt.grid.fill(self.cols, erased);
        self.alt.x = self.main.x;
        self.alt.y = self.main.y;
        self.modes.alt_screen = true;
    }

    /// Shows the main screen; the cursor stays where it is.
    pub(crate) fn show_main(&mut self) {
        if !self.modes.alt_screen {
            return;
        }
        self.main.x = self.alt.x;
        self.main.y = self.alt.y;
        let alt = Buffer::new(self.cols, self.rows);
        self.alt.grid.fill(self.cols, Cell::BLANK);
        self.alt = Buffer {
            grid: std::mem::replace(&mut self.alt.grid, Grid::new(1)),
            saved: self.alt.saved,
            keyboard: std::mem::take(&mut self.alt.keyboard),
            ..alt
        };
        self.modes.alt_screen = false;
    }

    /// DECSTR.
    pub(crate) fn soft_reset(&mut self) {
        self.modes.soft_reset();
        self.pen = Pen::default();
        self.update_style();
        self.charsets = Charsets::default();
        let (base, rows) = (self.base(), self.rows);
        let buffer = self.buffer_mut();
        buffer.top = 0;
        buffer.bottom = rows - 1;
        buffer.saved = Saved { y: base, ..Saved::default() };
    }

    /// RIS.
    pub(crate) fn hard_reset(&mut self) {
        self.main = Buffer::new(self.cols, self.rows);
        self.alt = Buffer::new(self.cols, self.rows);
        self.scrollback.clear();
        self.clusters.clear();
        self.pen = Pen::default();
        self.update_style();
        self.charsets = Charsets::default();
        self.modes.hard_reset();
    }

    /// Frees what nothing names any more, when there is enough of it.
    pub(crate) fn collect(&mut self) {
        if self.clusters.needs_collection() {
            let mut kept = Clusters::default();
            for row in self.main.grid.all_mut().iter_mut().chain(self.alt.grid.all_mut()) {
                for cell in row.cells_mut() {
                    if let Some(place) = cell.glyph.place() {
                        let place = kept.insert(self.clusters.text(place));
                        cell.glyph = Glyph::cluster(place, cell.glyph.width());
                    }
                }
            }
            kept.collected();
            self.clusters = kept;
        }
        if self.extras.needs_collection() {
            let mut marks = self.extras.marks();
            let rows = self.main.grid.all().iter().chain(self.alt.grid.all());
            let styles = rows.flat_map(|row| row.cells()).map(|cell| cell.style);
            for style in styles.chain([self.style]) {
                if let Some(mark) = marks.get_mut(num::index(style.extra())) {
                    *mark = true;
                }
            }
            self.scrollback.mark(&mut marks);
            self.extras.collect(&marks, self.pen.extra);
        }
    }
}
