//! Operating system commands: title, links, colors, and what shells and CLIs report.

use crate::events::Event;
use crate::extras::{LINK_MAX_BYTES, Link};
use crate::palette::Rgb;
use crate::screen::Screen;

/// Longest title, in characters; the rest is cut.
const TITLE_MAX_CHARS: usize = 256;

/// Longest working directory.
const CWD_MAX_BYTES: usize = 2 * 1024;

/// Longest notification, in characters; the rest is cut.
const NOTIFY_MAX_CHARS: usize = 512;

impl Screen {
    /// Applies the payload of an OSC; `bell` says how it ended, which an answer repeats.
    pub(crate) fn apply_osc(&mut self, payload: &str, bell: bool) {
        let (number, data) = payload.split_once(';').unwrap_or((payload, ""));
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        match number.trim_start_matches('0') {
            "" | "2" => {
                self.title = data.chars().take(TITLE_MAX_CHARS).collect();
                self.events.push(Event::Title);
            }
            "4" => self.indexed_colors(data, bell),
            "7" if data.len() <= CWD_MAX_BYTES => {
                data.clone_into(&mut self.cwd);
                self.events.push(Event::Cwd);
            }
            "8" => self.hyperlink(data),
            "9" => self.notify_or_progress(data),
            "10" => self.special_colors(data, 0, bell),
            "11" => self.special_colors(data, 1, bell),
            "12" => self.special_colors(data, 2, bell),
            "99" => self.notify(data),
            "104" if data.is_empty() => self.palette.indexed.clear(),
            "104" => {
                for index in data.split(';').filter_map(color_index) {
                    self.palette.indexed.remove(&index);
                }
            }
            "110" => self.palette.special[0] = None,
            "111" => self.palette.special[1] = None,
            "112" => self.palette.special[2] = None,
            "133" => self.shell_mark(data),
            "777" => {
                if let Some(text) = data.strip_prefix("notify;") {
                    self.notify(text);
                }
            }
            _ => {}
        }
    }

    fn hyperlink(&mut self, data: &str) {
        let Some((params, uri)) = data.split_once(';') else { return };
        let params = params.trim();
        if uri.is_empty() {
            if params.is_empty() {
                self.pen.set_link(0);
                self.update_style();
            }
            return;
        }
        let id = params
            .split(':')
            .find_map(|param| param.strip_prefix("id="))
            .filter(|id| !id.is_empty())
            .map(Box::from);
        let link = if data.len() <= LINK_MAX_BYTES {
            self.extras.intern_link(Link { id, uri: uri.into() })
        } else {
            0
        };
        self.pen.set_link(link);
        self.update_style();
    }

    fn indexed_colors(&mut self, data: &str, bell: bool) {
        let mut parts = data.split(';');
        while let (Some(index), Some(spec)) = (parts.next(), parts.next()) {
            let Some(index) = color_index(index) else { continue };
            if spec == "?" {
                let set = self.palette.indexed.get(&index).copied();
                let color = set.unwrap_or_else(|| self.theme.indexed(index));
                self.reply_osc(&format!("4;{index};{}", color.report()), bell);
            } else if let Some(color) = Rgb::parse(spec) {
                self.palette.indexed.insert(index, color);
            }
        }
    }

    /// OSC 10, 11 and 12; further colors go to the next of them.
    fn special_colors(&mut self, data: &str, first: usize, bell: bool) {
        for (slot, spec) in (first..3).zip(data.split(';')) {
            if spec == "?" {
                let theme = [self.theme.fg, self.theme.bg, self.theme.cursor][slot];
                let color = self.palette.special[slot].unwrap_or(theme);
                self.reply_osc(&format!("{};{}", 10 + slot, color.report()), bell);
            } else if let Some(color) = Rgb::parse(spec) {
                self.palette.special[slot] = Some(color);
            }
        }
    }

    fn notify_or_progress(&mut self, data: &str) {
        let Some(rest) = data.strip_prefix("4;") else {
            return self.notify(data);
        };
        let mut numbers = rest.split(';').map(|number| number.parse::<u8>().unwrap_or(0));
        let state = numbers.next().unwrap_or(0);
        let percent = numbers.next().unwrap_or(0).min(100);
        if state <= 4 {
            self.events.push(Event::Progress { state, percent });
        }
    }

    fn notify(&mut self, text: &str) {
        self.events.push(Event::Notify(text.chars().take(NOTIFY_MAX_CHARS).collect()));
    }

    fn shell_mark(&mut self, data: &str) {
        let mut parts = data.split(';');
        let Some(kind @ ('A' | 'B' | 'C' | 'D')) = parts.next().and_then(single) else { return };
        if kind == 'A' {
            let buffer = self.buffer_mut();
            buffer.grid.row_mut(buffer.y).prompt = true;
        }
        let exit = parts.next().filter(|_| kind == 'D').and_then(|code| code.parse().ok());
        self.events.push(Event::Mark { kind, exit });
    }

    /// The working directory as a path, from the URL the program gave.
    pub(crate) fn cwd_path(&self) -> Option<String> {
        let rest = self.cwd.strip_prefix("file://")?;
        let (_host, path) = rest.split_once('/')?;
        let mut bytes = vec![b'/'];
        let mut left = path.bytes();
        while let Some(byte) = left.next() {
            if byte != b'%' {
                bytes.push(byte);
                continue;
            }
            let digits = [left.next()?, left.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        }
        String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
    }
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn color_index(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
