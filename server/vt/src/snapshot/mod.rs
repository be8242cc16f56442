//! Sequences that rebuild a terminal in xterm.js from a reset.
//!
//! In order: colors; history, its wrapped lines unbroken so that they wrap again; the main screen
//! with its tab stops, margins, saved cursor and cursor; the alternate screen likewise if it is
//! shown; title, charsets, modes; the cursor; synchronized output; the character that the next may
//! join; and what the parser has of an unfinished sequence. Nothing in it asks a question.
//!
//! Easy to get wrong: a line feed or a wrap that scrolls fills the new row with the pen's
//! background, and every sequence ends the cluster that a next character could have joined.

mod rows;

use std::fmt::Write as _;

use crate::buffer::{Buffer, Saved};
use crate::cell::{Cell, Style, bg};
use crate::charset::Charset;
use crate::clusters::Clusters;
use crate::num;
use crate::parser::Parser;
use crate::pen::Pen;
use crate::row::Row;
use crate::screen::Screen;
use crate::scrollback::unpack;
use crate::sgr;
use crate::width;
use crate::{Scope, Size, Snapshot};
use rows::Writer;

/// History is left out, oldest first, when the whole would get larger.
const HISTORY_MAX_BYTES: usize = 512 * 1024;

/// What follows `ESC` to designate a character set to each slot.
const DESIGNATE: [char; 4] = ['(', ')', '*', '+'];

/// What shifts to each slot, from the first.
const SHIFT: [&str; 4] = ["", "\x0e", "\x1bn", "\x1bo"];

/// The snapshot of `screen` and what `parser` has not finished.
pub(crate) fn snapshot(screen: &Screen, parser: &Parser, scope: Scope) -> Snapshot {
    let mut after = Assembly::new(screen).after_history(false);
    let (history, lines) = match scope {
        Scope::Screen => (history(screen, screen.scrollback.len()), 0),
        Scope::Full => full_history(screen, HISTORY_MAX_BYTES.saturating_sub(after.len())),
    };
    if history_saves(screen, screen.scrollback.len() - lines) {
        after = Assembly::new(screen).after_history(true);
    }
    let mut bytes = Vec::with_capacity(history.len() + after.len() + 64);
    bytes.extend_from_slice(colors(screen).as_bytes());
    bytes.extend_from_slice(history.as_bytes());
    bytes.extend_from_slice(&after);
    bytes.extend_from_slice(&parser.unfinished());
    let size = Size { cols: num::narrow(screen.cols), rows: num::narrow(screen.rows) };
    Snapshot { bytes, size, scope, history_lines: lines }
}

/// Whether history, written from row `first` on, holds the row of the main screen's saved cursor.
/// Only whole history gives that row the number it has.
fn history_saves(screen: &Screen, first: usize) -> bool {
    let saved = screen.main.saved;
    first == 0 && saved.y < screen.scrollback.len() && has_saved(saved)
}

/// As much history as fits into `most_bytes`, then the rows of the main screen.
fn full_history(screen: &Screen, most_bytes: usize) -> (String, usize) {
    // A packed row is seldom larger than its sequences, so this bounds what is written in vain.
    let mut total = 0;
    let fitting = screen.scrollback.sizes().rev().take_while(|size| {
        total += size;
        total <= most_bytes
    });
    let mut first = screen.scrollback.len() - fitting.count();
    loop {
        let out = history(screen, first);
        let lines = screen.scrollback.len() - first;
        if out.len() <= most_bytes || lines == 0 {
            return (out, lines);
        }
        // Rows differ in size: drop by the share that is too much, and look again.
        first += (lines * (out.len() - most_bytes)).div_ceil(out.len()).max(1);
    }
}

/// History from row `first` on, and the rows of the main screen.
fn history(screen: &Screen, first: usize) -> String {
    let mut writer = Writer::new(screen);
    let mut clusters = Clusters::default();
    let saved = screen.main.saved;
    let saves = history_saves(screen, first);
    let mut rows = screen.scrollback.packed(first);
    let screen_row = |y: usize| screen.main.grid.row(y);
    let mut current = rows.next().map(|line| unpack(line, &mut clusters));
    let mut index = 0;
    while let Some(row) = current {
        let next = rows.next().map(|line| unpack(line, &mut clusters));
        if saves && index == saved.y {
            let mut sequences = String::new();
            write_saved(&mut sequences, screen, saved, None);
            writer.save_in_next_row(sequences);
        }
        writer.row(&row, &clusters, Some(next.as_ref().unwrap_or_else(|| screen_row(0))));
        index += 1;
        current = next;
    }
    // With history every row counts; without, blank rows below need not be written.
    let used = (0..screen.rows).rev().find(|&y| !screen_row(y).cells().is_empty());
    let end = if index > 0 { screen.rows } else { used.map_or(0, |last| last + 1) };
    for y in 0..end {
        let next = (y + 1 < end).then(|| screen_row(y + 1));
        writer.row(screen_row(y), &screen.clusters, next);
    }
    writer.finish()
}

fn has_saved(saved: Saved) -> bool {
    saved != Saved::default()
}

/// Colors a program has set.
fn colors(screen: &Screen) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for (index, color) in &screen.palette.indexed {
        _ = write!(out, "\x1b]4;{index};{}\x1b\\", color.report());
    }
    for (slot, color) in screen.palette.special.iter().enumerate() {
        if let Some(color) = color {
            _ = write!(out, "\x1b]{};{}\x1b\\", 10 + slot, color.report());
        }
    }
    out
}

/// Everything that comes after the rows of the main screen.
struct Assembly<'a> {
    screen: &'a Screen,
    out: String,
}

impl<'a> Assembly<'a> {
    fn new(screen: &'a Screen) -> Self {
        Self { screen, out: String::new() }
    }

    fn after_history(mut self, saved: bool) -> Vec<u8> {
        let screen = self.screen;
        let alt = screen.modes.alt_screen;
        self.buffer_state(&screen.main, screen.scrollback.len(), saved);
        if alt {
            self.cursor(&screen.main, false);
            self.out.push_str("\x1b[m\x1b[?1047h\x1b[H");
            self.out.push_str(&self.alt_rows());
            self.buffer_state(&screen.alt, 0, false);
        }
        self.texts();
        let saved_charset = screen.buffer().saved.charset;
        let restores = screen.charsets.active != screen.charsets.shifted()
            && screen.charsets.active == saved_charset;
        let past = screen.buffer().x >= screen.cols;
        if past && screen.charsets.active.is_some() {
            // The last cell is printed again, which must not be mapped.
            self.modes();
            self.cursor(screen.buffer(), true);
            self.charsets();
            return self.out.into_bytes();
        }
        self.charsets();
        if restores {
            self.out.push_str("\x1b8\x1b[m");
        }
        self.modes();
        self.cursor(screen.buffer(), true);
        self.out.into_bytes()
    }

    fn modes(&mut self) {
        if self.screen.modes.origin {
            self.out.push_str("\x1b[?6h");
        }
        self.screen.modes.write(&mut self.out);
        if self.screen.modes.sync {
            self.out.push_str("\x1b[?2026h");
        }
    }

    fn alt_rows(&self) -> String {
        let screen = self.screen;
        let row = |y: usize| screen.alt.grid.row(y);
        let end =
            (0..screen.rows).rev().find(|&y| !row(y).cells().is_empty()).map_or(0, |last| last + 1);
        let mut writer = Writer::new(screen);
        for y in 0..end {
            writer.row(row(y), &screen.clusters, (y + 1 < end).then(|| row(y + 1)));
        }
        writer.finish()
    }

    /// Tab stops, margins, saved cursor (unless it is) and keyboard of the shown screen.
    fn buffer_state(&mut self, buffer: &Buffer, base: usize, is_saved: bool) {
        let screen = self.screen;
        if !buffer.tabs.is_usual(screen.cols) {
            self.out.push_str("\x1b[3g");
            for x in (0..screen.cols).filter(|&x| buffer.tabs.is_stop(x)) {
                _ = write!(self.out, "\x1b[{}G\x1bH", x + 1);
            }
        }
        if (buffer.top, buffer.bottom) != (0, screen.rows - 1) {
            _ = write!(self.out, "\x1b[{};{}r", buffer.top + 1, buffer.bottom + 1);
        }
        let saved = buffer.saved;
        if has_saved(saved) && !is_saved {
            let y = saved.y.saturating_sub(base);
            if saved.x >= screen.cols {
                // Past the last column: printing the last cell again leads there.
                let row = buffer.grid.row(y);
                let x = self.last_cell(row, screen.cols).unwrap_or(0);
                _ = write!(self.out, "\x1b[{};{}H", y + 1, x + 1);
                let mut writer = Writer::new(screen);
                writer.cell_again(row, x, false);
                self.out.push_str(&writer.finish());
                write_saved(&mut self.out, screen, saved, None);
            } else {
                write_saved(&mut self.out, screen, saved, Some(y));
            }
        }
        buffer.keyboard.write(&mut self.out);
    }

    fn texts(&mut self) {
        let screen = self.screen;
        if !screen.title.is_empty() {
            _ = write!(self.out, "\x1b]2;{}\x1b\\", screen.title);
        }
        if !screen.cwd.is_empty() {
            _ = write!(self.out, "\x1b]7;{}\x1b\\", screen.cwd);
        }
    }

    fn charsets(&mut self) {
        let charsets = &self.screen.charsets;
        for (opener, slot) in DESIGNATE.into_iter().zip(charsets.slots()) {
            if let Some(set) = slot {
                _ = write!(self.out, "\x1b{opener}{}", charset_name(set));
            }
        }
        self.out.push_str(SHIFT[charsets.level().min(3)]);
    }

    /// The cursor of `buffer` and the pen; if it is past the last column, by printing the last
    /// cell again.
    fn cursor(&mut self, buffer: &Buffer, shown: bool) {
        let screen = self.screen;
        let row = buffer.grid.row(buffer.y);
        let past = buffer.x >= screen.cols;
        let joinable = shown && self.can_join(row, buffer.x);
        let back = if past || joinable { self.last_cell(row, buffer.x) } else { None };
        let origin = if shown && screen.modes.origin { buffer.top } else { 0 };
        let y = (buffer.y + 1).saturating_sub(origin);
        let x = back.unwrap_or(buffer.x.min(screen.cols - 1));
        _ = write!(self.out, "\x1b[{y};{}H", x + 1);
        if joinable {
            // The pen comes first, since a sequence would end the cluster.
            write_pen(&mut self.out, screen, screen.pen);
        }
        let mut writer =
            if joinable { Writer::with_pen(screen, screen.style) } else { Writer::new(screen) };
        if let Some(x) = back {
            writer.cell_again(row, x, shown && screen.modes.insert);
        }
        if joinable {
            self.out.push_str(&writer.finish_as_is());
            return;
        }
        self.out.push_str(&writer.finish());
        if back.is_some() {
            self.out.push_str("\x1b[m");
        }
        if shown {
            write_pen(&mut self.out, screen, screen.pen);
        }
    }

    /// Whether printing the cell before column `x` again leads to the cluster the next character
    /// may join.
    fn can_join(&self, row: &Row, x: usize) -> bool {
        let screen = self.screen;
        let Some(last) = self.last_cell(row, x).filter(|_| width::is_open(screen.join)) else {
            return false;
        };
        let Cell { glyph, style } = row.get(last);
        if style != screen.style || screen.charsets.active.is_some() {
            return false;
        }
        let step = match glyph.place() {
            Some(place) => {
                screen.clusters.text(place).chars().fold(width::START, |step, character| {
                    screen.widths.step(character.into(), step)
                })
            }
            None => screen.widths.first(glyph.code_point()),
        };
        let same = step >> 1 == screen.join >> 1 && width::width(step) == glyph.width();
        same && last + usize::from(glyph.width()) == x
    }

    /// Column of the cell before column `x`.
    fn last_cell(&self, row: &Row, x: usize) -> Option<usize> {
        let last = x.checked_sub(1)?;
        if row.width(last) == 0 { last.checked_sub(1) } else { Some(last) }
    }
}

fn charset_name(set: Option<Charset>) -> char {
    set.map_or('B', |set| char::from(set.name()))
}

/// Leads from the default pen to `pen`.
fn write_pen(out: &mut String, screen: &Screen, pen: Pen) {
    sgr::write_hidden(out, pen.fg, 30);
    sgr::write_hidden(out, pen.bg, 40);
    let style = Style {
        fg: pen.fg,
        bg: pen.bg & !bg::EXTENDED,
        ext: if pen.bg & bg::EXTENDED == 0 { 0 } else { pen.underline },
    };
    sgr::write_change(out, Style::DEFAULT, style, &screen.extras);
    let mut color = String::new();
    sgr::write_underline_color(&mut color, pen.extra.underline_color);
    if let Some(color) = color.strip_prefix(';') {
        _ = write!(out, "\x1b[{color}m");
    }
    if pen.bg & bg::PROTECTED != 0 {
        out.push_str("\x1b[1\"q");
    }
    // A link that restoring a cursor has hidden is left out: opening it would show it.
    if pen.bg & bg::EXTENDED != 0
        && let Some(link) = screen.extras.link(pen.extra.link)
    {
        rows::write_link(out, Some(link));
    }
}

/// Saves a cursor; at row `y` of the screen, or in the cursor's row (past the last column, where
/// the cursor is). Leaves the pen at its default.
fn write_saved(out: &mut String, screen: &Screen, saved: Saved, y: Option<usize>) {
    match y {
        Some(y) => _ = write!(out, "\x1b[{};{}H", y + 1, saved.x + 1),
        None if saved.x < screen.cols => _ = write!(out, "\x1b[{}G", saved.x + 1),
        None => {}
    }
    let underlined = saved.fg & crate::cell::fg::UNDERLINE != 0;
    let pen =
        Pen { fg: saved.fg, bg: saved.bg, underline: u32::from(underlined), ..Pen::default() };
    out.push_str("\x1b[m");
    write_pen(out, screen, pen);
    // A pen with a link counts as extended even where it is not underlined; which link it was is
    // not kept.
    let linked = saved.bg & bg::EXTENDED != 0 && !underlined;
    if linked {
        out.push_str("\x1b]8;;-\x1b\\");
    }
    // In a slot that the program has designated too, since a slot remembers that it was.
    let slots = screen.charsets.slots();
    let slot = slots.iter().position(Option::is_some).filter(|_| saved.charset.is_some());
    if let Some(slot) = slot {
        _ = write!(out, "\x1b{}{}", DESIGNATE[slot], charset_name(saved.charset));
        out.push_str(SHIFT[slot]);
    }
    out.push_str("\x1b7");
    if let Some(slot) = slot {
        _ = write!(out, "\x0f\x1b{}B", DESIGNATE[slot]);
    }
    if linked {
        out.push_str("\x1b]8;;\x1b\\");
    }
    out.push_str("\x1b[m");
}

/// Leads from the modes of `screen` to the default ones, without touching text or cursor.
pub(crate) fn reset_modes(screen: &Screen, parser: &Parser) -> Vec<u8> {
    let mut out = String::new();
    if !parser.unfinished().is_empty() {
        // Ends whatever sequence the program was in the middle of.
        out.push('\x18');
    }
    let modes = screen.modes;
    out.push_str(if modes.sync { "\x1b[?2026l" } else { "" });
    out.push_str(if modes.alt_screen { "\x1b[?1049l" } else { "" });
    for (on, reset) in [
        (modes.app_cursor, "\x1b[?1l"),
        (!modes.autowrap, "\x1b[?7h"),
        (!modes.cursor_visible, "\x1b[?25h"),
        (modes.reverse_wrap, "\x1b[?45l"),
        (modes.app_keypad, "\x1b[?66l"),
        (modes.mouse != crate::Mouse::Off, "\x1b[?1003l"),
        (modes.mouse_encoding != crate::MouseEncoding::Bytes, "\x1b[?1006l"),
        (modes.focus, "\x1b[?1004l"),
        (modes.alt_scroll, "\x1b[?1007l"),
        (modes.bracketed_paste, "\x1b[?2004l"),
        (modes.theme_reports, "\x1b[?2031l"),
        (modes.insert, "\x1b[4l"),
        (modes.newline, "\x1b[20l"),
        (modes.cursor_style() != 0, "\x1b[0 q"),
        (screen.main.keyboard != Default::default(), "\x1b[<99u\x1b[=0u"),
        (screen.charsets != Default::default(), "\x1b(B\x1b)B\x0f"),
        (screen.pen.extra.link != 0, "\x1b]8;;\x1b\\"),
        (screen.pen != Pen::default(), "\x1b[m"),
    ] {
        out.push_str(if on { reset } else { "" });
    }
    let margins = (screen.main.top, screen.main.bottom) != (0, screen.rows - 1);
    if modes.origin || margins {
        let main = &screen.main;
        let saved = Saved { y: main.saved.y.saturating_sub(screen.scrollback.len()), ..main.saved };
        let (x, y) = if modes.alt_screen { (saved.x, saved.y) } else { (main.x, main.y) };
        _ = write!(out, "\x1b[?6l\x1b[r\x1b[{};{}H", y + 1, x.min(screen.cols - 1) + 1);
    }
    out.into_bytes()
}
