//! The screen and its history as a reader sees them.

use crate::cell::Glyph;
use crate::clusters::Clusters;
use crate::row::Row;
use crate::screen::Screen;
use crate::scrollback::unpack;

/// What of a terminal to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextScope {
    /// The shown screen, one line a row.
    Screen,
    /// History and the main screen, wrapped rows joined to lines.
    Full,
    /// The shown screen with its history, one line a row. The alternate screen has none.
    Rows,
    /// History and the main screen as lines, but no more than this many rows of history.
    Recent(usize),
}

impl Screen {
    /// The text in `scope`, lines ended by newlines, without blanks at their ends and without
    /// blank lines at the end.
    pub(crate) fn text(&self, scope: TextScope) -> String {
        let mut out = String::new();
        match scope {
            TextScope::Screen => self.screen_rows(&mut out),
            TextScope::Rows => {
                let shown = if self.modes.alt_screen { 0 } else { self.scrollback.len() };
                let mut clusters = Clusters::default();
                for line in self.scrollback.packed(self.scrollback.len() - shown) {
                    clusters.clear();
                    push_row(&mut out, &unpack(line, &mut clusters), &clusters);
                    end_line(&mut out);
                }
                self.screen_rows(&mut out);
            }
            TextScope::Full => self.lines(&mut out, self.scrollback.len()),
            TextScope::Recent(rows) => self.lines(&mut out, rows.min(self.scrollback.len())),
        }
        out.truncate(out.trim_end_matches('\n').len());
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    fn screen_rows(&self, out: &mut String) {
        for y in 0..self.rows {
            push_row(out, self.buffer().grid.row(y), &self.clusters);
            end_line(out);
        }
    }

    fn lines(&self, out: &mut String, history: usize) {
        let mut begun = false;
        let mut push = |row: &Row, clusters: &Clusters| {
            if begun && !row.wrapped {
                end_line(out);
            }
            begun = true;
            push_row(out, row, clusters);
        };
        let mut clusters = Clusters::default();
        for line in self.scrollback.packed(self.scrollback.len() - history) {
            clusters.clear();
            let row = unpack(line, &mut clusters);
            push(&row, &clusters);
        }
        for y in 0..self.rows {
            push(self.main.grid.row(y), &self.clusters);
        }
        end_line(out);
    }
}

fn end_line(out: &mut String) {
    let line = out.rfind('\n').map_or(0, |at| at + 1);
    let end = out.trim_end_matches(' ').len().max(line);
    out.truncate(end);
    out.push('\n');
}

fn push_row(out: &mut String, row: &Row, clusters: &Clusters) {
    for cell in row.cells() {
        let glyph = cell.glyph;
        match glyph.place() {
            Some(place) => out.push_str(clusters.text(place)),
            None if glyph == Glyph::SPACER => {}
            None if glyph.has_content() => out.extend(char::from_u32(glyph.code_point())),
            None => out.push(' '),
        }
    }
}
