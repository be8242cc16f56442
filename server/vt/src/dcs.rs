//! Device control strings: what a program asks of settings and capabilities.

use std::fmt::Write as _;

use crate::screen::Screen;
use crate::sgr;

/// Capabilities XTGETTCAP knows. The name is that of `TERM` in our sessions.
const CAPABILITIES: [(&str, &str); 6] = [
    ("TN", "xterm-256color"),
    ("name", "xterm-256color"),
    ("Co", "256"),
    ("colors", "256"),
    ("RGB", "8/8/8"),
    ("Smulx", "\x1b[4:%p1%dm"),
];

/// Most capabilities looked up for one request.
const CAPABILITIES_MAX: usize = 32;

impl Screen {
    /// Applies a DCS. `last` is 0 when it was cancelled or too long.
    pub(crate) fn apply_dcs(&mut self, collected: u32, last: u8, payload: &[u8]) {
        let Ok(payload) = std::str::from_utf8(payload) else { return };
        match (u8::try_from(collected), last) {
            (Ok(b'$'), b'q') => self.reply_setting(payload),
            (Ok(b'+'), b'q') => {
                for name in payload.split(';').take(CAPABILITIES_MAX) {
                    self.reply_capability(name);
                }
            }
            _ => {}
        }
    }

    /// DECRQSS.
    fn reply_setting(&mut self, what: &str) {
        let buffer = self.buffer();
        let setting = match what {
            "m" => {
                let mut text = String::from("0");
                sgr::write_params(&mut text, self.style, &self.extras);
                text
            }
            "r" => format!("{};{}", buffer.top + 1, buffer.bottom + 1),
            " q" => match self.modes.cursor_style() {
                style @ 1..=6 => style.to_string(),
                _ => "2".to_owned(),
            },
            "\"q" => u8::from(self.style.bg & crate::cell::bg::PROTECTED != 0).to_string(),
            "\"p" => "62;1".to_owned(),
            _ => return self.reply(b"\x1bP0$r\x1b\\"),
        };
        self.reply(format!("\x1bP1$r{setting}{what}\x1b\\").as_bytes());
    }

    /// XTGETTCAP for one name, in hex.
    fn reply_capability(&mut self, hex: &str) {
        let name = from_hex(hex);
        let known = CAPABILITIES.iter().find(|(known, _)| Some(*known) == name.as_deref());
        let answer = match known {
            Some((_, value)) => {
                let mut answer = format!("\x1bP1+r{hex}=");
                for byte in value.bytes() {
                    // Writing to a string cannot fail.
                    _ = write!(answer, "{byte:02X}");
                }
                answer + "\x1b\\"
            }
            // Only what is hex is repeated: an answer is typed to the program.
            None if name.is_some() => format!("\x1bP0+r{hex}\x1b\\"),
            None => "\x1bP0+r\x1b\\".to_owned(),
        };
        self.reply(answer.as_bytes());
    }
}

fn from_hex(hex: &str) -> Option<String> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| {
        let digits = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
        let text = std::str::from_utf8(pair).ok().filter(|_| digits)?;
        u8::from_str_radix(text, 16).ok()
    });
    String::from_utf8(pairs.collect::<Option<_>>()?).ok()
}
