//! Rows as text and sequences, written one below the other at the end of a growing screen.

use std::fmt::Write as _;

use crate::cell::{Cell, Glyph, Style, bg};
use crate::clusters::Clusters;
use crate::extras::Link;
use crate::row::Row;
use crate::screen::Screen;
use crate::sgr;
use crate::width::{self, Step};

/// Writes rows in order.
pub(super) struct Writer<'a> {
    screen: &'a Screen,
    out: String,
    /// Style of the viewer's pen.
    style: Style,
    /// The link open in the viewer.
    link: u32,
    /// What the viewer's next character may join.
    join: Step,
    /// Rows begun so far.
    rows: usize,
    /// The viewer's cursor is at the end of a full row, and what comes next wraps.
    wraps: bool,
    /// Style of the blanks the viewer has in this row.
    fill: Style,
    /// Sequences that save a cursor in the next row.
    saved: Option<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        Self {
            screen,
            out: String::new(),
            style: Style::DEFAULT,
            link: 0,
            join: width::START,
            rows: 0,
            wraps: false,
            fill: Style::DEFAULT,
            saved: None,
        }
    }

    /// The same for a viewer whose pen has `style`.
    pub(super) fn with_pen(screen: &'a Screen, style: Style) -> Self {
        let link = screen.extras.get(style.extra()).link;
        Self { style, link, ..Self::new(screen) }
    }

    /// Everything written; the viewer's pen is back to its default.
    pub(super) fn finish(mut self) -> String {
        self.set_style(Style::DEFAULT);
        self.out
    }

    /// Everything written, the pen as it is.
    pub(super) fn finish_as_is(self) -> String {
        self.out
    }

    /// Writes a row; `next` is the one that follows.
    pub(super) fn row(&mut self, row: &Row, clusters: &Clusters, next: Option<&Row>) {
        let cols = self.screen.cols;
        let begun = self.wraps;
        if !begun && self.rows > 0 {
            if self.style.erased() != Style::DEFAULT {
                self.set_style(Style::DEFAULT);
            }
            self.sequence("\r\n");
        }
        self.rows += 1;
        self.fill = Style::DEFAULT;
        if row.prompt {
            self.sequence("\x1b]133;A\x1b\\");
        }
        let next = next.filter(|next| next.wrapped);
        self.wraps = next.is_some();
        let end = if next.is_some() {
            cols
        } else {
            let cells = row.cells().get(..cols).unwrap_or(row.cells());
            cells.iter().rposition(|cell| *cell != Cell::BLANK).map_or(0, |x| x + 1)
        };
        // A wide character that did not fit wraps by itself.
        let wide_next = next.is_some_and(|next| next.width(0) == 2)
            && !row.get(cols - 1).glyph.has_content()
            && row.width(cols - 1) == 1;
        let stop = if wide_next { cols - 1 } else { end };
        let mut x = 0;
        if !begun {
            self.save_here(0);
        }
        if begun && is_erased(row.get(0)) {
            // Something has to be printed for the row to count as wrapped.
            self.wrap_by(" ", row.get(0).style);
            self.sequence("\r");
            self.fill =
                if self.rows > self.screen.rows { self.style.erased() } else { Style::DEFAULT };
            self.erase(row.get(0).style, 1);
        } else if begun && self.rows > self.screen.rows {
            self.fill = row.get(0).style.erased();
        }
        while x < stop {
            let cell = row.get(x);
            if is_erased(cell) {
                let len = (x..stop).take_while(|&x| row.get(x) == cell).count();
                let last = x + len >= stop;
                self.blanks(cell.style, len, last, last && next.is_some() && !wide_next);
                x += len;
            } else {
                x += self.cell(row, x, clusters);
            }
            if x < cols {
                self.save_here(x);
            }
        }
        if next.is_none() {
            self.erase_rest(end);
        }
    }

    /// Writes blanks that were erased rather than printed.
    fn blanks(&mut self, style: Style, len: usize, last: bool, print_last: bool) {
        let cleared = style.erased();
        // The cursor has to pass the last column, so what is there is printed.
        let erased = if print_last { len - 1 } else { len };
        if cleared != self.fill && erased > 0 {
            self.erase(style, erased);
        }
        if print_last {
            self.forward(erased);
            self.wrap_by(" ", cleared);
        } else if !last || self.wraps || self.fill != Style::DEFAULT {
            self.forward(len);
        }
    }

    /// Erases `len` cells at the cursor.
    fn erase(&mut self, style: Style, len: usize) {
        self.set_style(style.erased());
        let count = if len == 1 { String::new() } else { len.to_string() };
        self.sequence(&format!("\x1b[{count}X"));
    }

    /// Erases what the viewer has after the end of the row, if it is not blank.
    fn erase_rest(&mut self, end: usize) {
        if self.fill != Style::DEFAULT && end < self.screen.cols {
            self.erase(Style::DEFAULT, self.screen.cols - end);
        }
    }

    fn forward(&mut self, columns: usize) {
        match columns {
            0 => {}
            1 => self.sequence("\x1b[C"),
            _ => self.sequence(&format!("\x1b[{columns}C")),
        }
    }

    fn wrap_by(&mut self, text: &str, style: Style) {
        self.set_style(style);
        self.out.push_str(text);
        self.join = self.screen.widths.first(' '.into());
    }

    /// Writes the cell at `x`; says how many columns that was.
    fn cell(&mut self, row: &Row, x: usize, clusters: &Clusters) -> usize {
        let cell = row.get(x);
        let glyph = cell.glyph;
        let width = glyph.width();
        let broken = width == 2 && row.get(x + 1).glyph != Glyph::SPACER;
        if broken || width == 0 && !glyph.has_content() {
            // Half of a wide character, which nothing can draw.
            self.wrap_by(" ", cell.style);
            return 1;
        }
        self.set_style(cell.style);
        if let Some(byte) = glyph.as_ascii() {
            self.out.push(char::from(byte));
            self.join = self.screen.widths.first(byte.into());
            return 1;
        }
        match glyph.place() {
            Some(place) => self.text(clusters.text(place), width),
            None if glyph.has_content() => {
                let character = char::from_u32(glyph.code_point()).unwrap_or(' ');
                self.text(character.encode_utf8(&mut [0; 4]), width);
            }
            None => self.wrap_by(" ", cell.style),
        }
        width.max(1).into()
    }

    /// Writes the text of a cell so that it ends up in one cell, `width` columns wide.
    fn text(&mut self, text: &str, width: u8) {
        for (index, character) in text.chars().enumerate() {
            let widths = self.screen.widths;
            let alone = widths.first(character.into());
            if index == 0 {
                if width::joins(alone) && width > 0 {
                    // A mark without a base joins the blank before the cursor.
                    if self.style.erased() != self.fill {
                        self.erase(self.style, 1);
                    }
                    self.sequence("\x1b[C");
                } else if width::joins(widths.step(character.into(), self.join)) {
                    self.sequence("\0");
                }
            } else {
                let step = widths.step(character.into(), self.join);
                let widens = width::width(step) > width;
                if !width::joins(step) || widens {
                    self.sequence("\0");
                }
            }
            self.join = widths.step(character.into(), self.join);
            self.out.push(character);
        }
    }

    /// Writes something that ends a cluster.
    fn sequence(&mut self, text: &str) {
        self.out.push_str(text);
        self.join = width::START;
    }

    /// Leads the viewer's pen to `style`.
    fn set_style(&mut self, style: Style) {
        if style == self.style {
            return;
        }
        let extras = &self.screen.extras;
        let from = self.style;
        let before = self.out.len();
        let reset = sgr::write_change(&mut self.out, from, style, extras);
        let (had, has) = (from.bg & bg::PROTECTED != 0, style.bg & bg::PROTECTED != 0);
        if has && (!had || reset) {
            self.out.push_str("\x1b[1\"q");
        } else if had && !has && !reset {
            self.out.push_str("\x1b[0\"q");
        }
        let link = extras.get(style.extra()).link;
        // Links alike but for their number are drawn as one.
        if link != self.link && extras.link(link) != extras.link(self.link) {
            write_link(&mut self.out, extras.link(link));
        }
        self.link = link;
        self.style = style;
        if self.out.len() != before {
            self.join = width::START;
        }
    }

    /// Has a cursor saved in the row that is written next, by what `sequences` say.
    pub(super) fn save_in_next_row(&mut self, sequences: String) {
        self.saved = Some(sequences);
    }

    /// Saves that cursor, and comes back to column `x`.
    fn save_here(&mut self, x: usize) {
        if let Some(sequences) = self.saved.take() {
            self.set_style(Style::DEFAULT);
            self.sequence(&sequences);
            self.sequence(&format!("\x1b[{}G", x + 1));
        }
    }

    /// Prints a cell that is there already, for where it leaves the cursor.
    pub(super) fn cell_again(&mut self, row: &Row, x: usize, inserts: bool) {
        let Cell { glyph, style } = row.get(x);
        self.set_style(style);
        if inserts {
            // Its first character will push what is there; what joins it will not.
            let first = match glyph.place() {
                Some(place) => self.screen.clusters.text(place).chars().next().map(u32::from),
                None => Some(glyph.code_point()),
            };
            let width = width::width(self.screen.widths.first(first.unwrap_or(0))).max(1);
            self.sequence(&format!("\x1b[{width}P"));
        }
        self.cell(row, x, &self.screen.clusters);
    }
}

/// Whether a cell is as an erase leaves it, or looks so.
fn is_erased(cell: Cell) -> bool {
    let erased = cell.style.erased();
    let looks_so = erased == Style::DEFAULT && !cell.style.shows_on_blank();
    cell.glyph == Glyph::BLANK && (cell.style == erased || looks_so)
}

/// Opens a link, or closes the open one.
pub(super) fn write_link(out: &mut String, link: Option<&Link>) {
    let (id, uri) = match link {
        Some(link) => (link.id.as_deref(), &*link.uri),
        None => (None, ""),
    };
    let id = id.map_or_else(String::new, |id| format!("id={id}"));
    // Writing to a string cannot fail.
    _ = write!(out, "\x1b]8;{id};{uri}\x1b\\");
}
