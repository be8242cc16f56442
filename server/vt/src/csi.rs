//! Controls and sequences: which does what.

use crate::charset::Charset;
use crate::events::Event;
use crate::parser::{Params, Sink};
use crate::screen::Screen;
use crate::width;

/// A prefix or intermediate byte as it is collected.
const fn with(byte: u8) -> u32 {
    u32_from(byte)
}

/// Two of them.
const fn with2(first: u8, second: u8) -> u32 {
    u32_from(first) << 8 | u32_from(second)
}

#[expect(clippy::as_conversions, reason = "a widening, in a constant")]
const fn u32_from(byte: u8) -> u32 {
    byte as u32
}

const QUESTION: u32 = with(b'?');
const GREATER: u32 = with(b'>');
const LESS: u32 = with(b'<');
const EQUALS: u32 = with(b'=');
const SPACE: u32 = with(b' ');
const BANG: u32 = with(b'!');
const QUOTE: u32 = with(b'"');
const APOSTROPHE: u32 = with(b'\'');
const DOLLAR: u32 = with(b'$');
const QUESTION_DOLLAR: u32 = with2(b'?', b'$');

impl Sink for Screen {
    fn ascii(&mut self, run: &[u8]) {
        self.print_ascii(run);
    }

    fn text(&mut self, run: &[u32]) {
        self.print_text(run);
    }

    fn control(&mut self, code: u32) {
        match code {
            0x07 => self.events.push(Event::Bell),
            0x08 => self.backspace(),
            0x09 => self.tab(1),
            0x0a..=0x0c => self.line_feed(),
            0x0d => self.buffer_mut().x = 0,
            0x0e => self.charsets.shift(1),
            0x0f => self.charsets.shift(0),
            0x84 => self.index(),
            0x85 => self.next_line(),
            0x88 => self.set_tab(),
            _ => {}
        }
        self.join = width::START;
    }

    fn escape(&mut self, collected: u32, last: u8) {
        match (collected, last) {
            (0, b'7') => self.save_cursor(),
            (0, b'8') => self.restore_cursor(),
            (0, b'D') => self.index(),
            (0, b'E') => self.next_line(),
            (0, b'H') => self.set_tab(),
            (0, b'M') => self.reverse_index(),
            (0, b'=') => self.modes.app_keypad = true,
            (0, b'>') => self.modes.app_keypad = false,
            (0, b'c') => self.hard_reset(),
            (0, b'n' | b'}') => self.charsets.shift(2),
            (0, b'o' | b'|') => self.charsets.shift(3),
            (0, b'~') => self.charsets.shift(1),
            (PERCENT, b'@' | b'G') => {
                self.charsets.shift(0);
                self.charsets.designate(0, None);
            }
            (HASH, b'8') => self.alignment_pattern(),
            _ => self.designate(collected, last),
        }
        self.join = width::START;
    }

    fn csi(&mut self, collected: u32, params: &Params, last: u8) {
        match (collected, last) {
            (0, b'm') => {
                self.pen.apply(params);
                self.update_style();
            }
            (0, _) => self.plain_csi(params, last),
            (QUESTION, b'h') => self.set_private_modes(params, true),
            (QUESTION, b'l') => self.set_private_modes(params, false),
            (QUESTION, b'J') => self.erase_in_display(params.get(0), true),
            (QUESTION, b'K') => self.erase_in_line(params.get(0), true),
            (QUESTION, b'n') => self.reply_private_status(params.get(0)),
            (QUESTION, b'u') => self.reply_keyboard(),
            (GREATER, b'c') => self.reply_secondary_attributes(params.get(0)),
            (EQUALS, b'c') => self.reply_tertiary_attributes(params.get(0)),
            (GREATER, b'q') => self.reply_version(params.get(0)),
            (GREATER, b'u') => self.buffer_mut().keyboard.push(params),
            (LESS, b'u') => self.buffer_mut().keyboard.pop(params),
            (EQUALS, b'u') => self.buffer_mut().keyboard.set(params),
            (SPACE, b'@') => self.shift_columns(0, params, false),
            (SPACE, b'A') => self.shift_columns(0, params, true),
            (SPACE, b'q') => self.set_cursor_style(params.get(0)),
            (BANG, b'p') => self.soft_reset(),
            (QUOTE, b'q') => self.protect(params.get(0)),
            (APOSTROPHE, b'}') => self.shift_columns(self.buffer().x, params, true),
            (APOSTROPHE, b'~') => self.shift_columns(self.buffer().x, params, false),
            (DOLLAR, b'p') => self.reply_mode(params.get(0), false),
            (QUESTION_DOLLAR, b'p') => self.reply_mode(params.get(0), true),
            _ => {}
        }
        self.join = width::START;
    }

    fn osc(&mut self, payload: &[u8], bell: bool) {
        if let Ok(payload) = std::str::from_utf8(payload) {
            self.apply_osc(payload, bell);
        }
        self.join = width::START;
    }

    fn dcs(&mut self, collected: u32, last: u8, payload: &[u8]) {
        self.apply_dcs(collected, last, payload);
        self.join = width::START;
    }
}

const PERCENT: u32 = with(b'%');
const HASH: u32 = with(b'#');

impl Screen {
    /// `CSI` without prefix and intermediates.
    fn plain_csi(&mut self, params: &Params, last: u8) {
        let (cols, rows) = (self.cols, self.rows);
        let (x, y) = (self.buffer().x, self.buffer().y);
        match last {
            b'@' => self.insert_chars(params),
            b'A' => self.cursor_up(params),
            b'B' => self.cursor_down(params),
            b'C' | b'a' => {
                self.restrict_to_cells();
                let (x, y) = (self.buffer().x, self.buffer().y);
                self.move_to(x + params.count(0, cols), y);
            }
            b'D' => {
                self.restrict_to_cells();
                let (x, y) = (self.buffer().x, self.buffer().y);
                self.move_to(x.saturating_sub(params.count(0, cols)), y);
            }
            b'E' => {
                self.cursor_down(params);
                self.buffer_mut().x = 0;
            }
            b'F' => {
                self.cursor_up(params);
                self.buffer_mut().x = 0;
            }
            b'G' | b'`' => self.move_to(params.count(0, cols) - 1, y),
            b'H' | b'f' => self.move_to(params.count(1, cols) - 1, params.count(0, rows) - 1),
            b'I' if x < cols => self.tab(params.count(0, cols)),
            b'J' => self.erase_in_display(params.get(0), false),
            b'K' => self.erase_in_line(params.get(0), false),
            b'L' => self.insert_lines(params),
            b'M' => self.delete_lines(params),
            b'P' => self.delete_chars(params),
            b'S' => self.scroll_up(params),
            b'T' => self.scroll_down(params),
            b'X' => self.erase_chars(params),
            b'Z' if x < cols => {
                let buffer = self.buffer_mut();
                for _ in 0..params.count(0, cols) {
                    buffer.x = buffer.tabs.before(buffer.x);
                }
            }
            b'b' => self.repeat(params.count(0, usize::MAX)),
            b'c' => self.reply_primary_attributes(params.get(0)),
            b'd' => self.move_to(x, params.count(0, rows) - 1),
            b'e' => {
                self.restrict_to_cells();
                let (x, y) = (self.buffer().x, self.buffer().y);
                self.move_to(x, y + params.count(0, rows));
            }
            b'g' => match params.get(0) {
                0 => self.buffer_mut().tabs.clear(x),
                3 => self.buffer_mut().tabs.clear_all(),
                _ => {}
            },
            b'h' => self.set_ansi_modes(params, true),
            b'l' => self.set_ansi_modes(params, false),
            b'n' => self.reply_status(params.get(0)),
            b'r' => self.set_margins(params),
            b's' => self.save_cursor(),
            b't' => self.reply_window(params.get(0)),
            b'u' => self.restore_cursor(),
            _ => {}
        }
    }

    fn cursor_up(&mut self, params: &Params) {
        let buffer = self.buffer();
        let most = if buffer.y >= buffer.top { buffer.y - buffer.top } else { self.rows };
        let count = params.count(0, self.rows).min(most);
        self.restrict_to_cells();
        let y = self.buffer().y;
        self.move_row(y.saturating_sub(count));
    }

    fn cursor_down(&mut self, params: &Params) {
        let buffer = self.buffer();
        let most = if buffer.y <= buffer.bottom { buffer.bottom - buffer.y } else { self.rows };
        let count = params.count(0, self.rows).min(most);
        self.restrict_to_cells();
        let y = self.buffer().y;
        self.move_row(y + count);
    }

    fn set_margins(&mut self, params: &Params) {
        let top = params.count(0, usize::MAX);
        let rows = self.rows;
        let bottom = match usize::try_from(params.get(1)).unwrap_or(0) {
            bottom if bottom == 0 || bottom > rows => rows,
            bottom => bottom,
        };
        if bottom > top {
            let buffer = self.buffer_mut();
            buffer.top = top - 1;
            buffer.bottom = bottom - 1;
            self.move_to(0, 0);
        }
    }

    fn line_feed(&mut self) {
        if self.modes.newline {
            self.buffer_mut().x = 0;
        }
        let moved = self.down(false);
        let cols = self.cols;
        let buffer = self.buffer_mut();
        if moved {
            buffer.grid.row_mut(buffer.y).wrapped = false;
        }
        if buffer.x >= cols {
            buffer.x -= 1;
        }
    }

    fn index(&mut self) {
        self.restrict_to_cells();
        self.down(false);
        self.restrict_to_cells();
    }

    fn next_line(&mut self) {
        self.buffer_mut().x = 0;
        self.index();
    }

    fn tab(&mut self, count: usize) {
        let cols = self.cols;
        let buffer = self.buffer_mut();
        if buffer.x < cols {
            for _ in 0..count {
                buffer.x = buffer.tabs.after(buffer.x, cols);
            }
        }
    }

    fn set_tab(&mut self) {
        let buffer = self.buffer_mut();
        buffer.tabs.set(buffer.x);
    }

    fn backspace(&mut self) {
        let cols = self.cols;
        if !self.modes.reverse_wrap {
            self.restrict_to_cells();
            let buffer = self.buffer_mut();
            buffer.x = buffer.x.saturating_sub(1);
            return;
        }
        self.restrict(cols);
        let buffer = self.buffer_mut();
        let in_region = buffer.y > buffer.top && buffer.y <= buffer.bottom;
        if buffer.x > 0 {
            buffer.x -= 1;
        } else if in_region && buffer.grid.row(buffer.y).wrapped {
            buffer.grid.row_mut(buffer.y).wrapped = false;
            buffer.y -= 1;
            buffer.x = cols - 1;
            let last = buffer.grid.row(buffer.y).get(buffer.x).glyph;
            if last.width() != 0 && !last.has_content() {
                buffer.x -= 1;
            }
        }
        self.restrict_to_cells();
    }

    fn protect(&mut self, what: i32) {
        match what {
            1 => self.pen.bg |= crate::cell::bg::PROTECTED,
            0 | 2 => self.pen.bg &= !crate::cell::bg::PROTECTED,
            _ => {}
        }
        self.update_style();
    }

    fn designate(&mut self, collected: u32, last: u8) {
        let slot = match u8::try_from(collected) {
            Ok(b'(') => 0,
            Ok(b')' | b'-') => 1,
            Ok(b'*' | b'.') => 2,
            Ok(b'+') => 3,
            _ => return,
        };
        if let Some(set) = Charset::designated(last) {
            self.charsets.designate(slot, set);
        }
    }
}
