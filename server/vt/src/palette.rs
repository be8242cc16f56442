//! Colors: the theme of whoever looks on, and what a program changed of it.

use std::collections::BTreeMap;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Colors that queries are answered from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Text.
    pub fg: Rgb,
    /// Background.
    pub bg: Rgb,
    /// Cursor.
    pub cursor: Rgb,
    /// The first 16 colors.
    pub palette: [Rgb; 16],
}

impl Default for Theme {
    /// A dark theme, with xterm's colors.
    fn default() -> Self {
        const DIM: u8 = 0xcd;
        const FULL: u8 = 0xff;
        Self {
            fg: Rgb(0xe5, 0xe5, 0xe5),
            bg: Rgb(0, 0, 0),
            cursor: Rgb(0xe5, 0xe5, 0xe5),
            palette: [
                Rgb(0, 0, 0),
                Rgb(DIM, 0, 0),
                Rgb(0, DIM, 0),
                Rgb(DIM, DIM, 0),
                Rgb(0, 0, 0xee),
                Rgb(DIM, 0, DIM),
                Rgb(0, DIM, DIM),
                Rgb(0xe5, 0xe5, 0xe5),
                Rgb(0x7f, 0x7f, 0x7f),
                Rgb(FULL, 0, 0),
                Rgb(0, FULL, 0),
                Rgb(FULL, FULL, 0),
                Rgb(0x5c, 0x5c, FULL),
                Rgb(FULL, 0, FULL),
                Rgb(0, FULL, FULL),
                Rgb(FULL, FULL, FULL),
            ],
        }
    }
}

impl Theme {
    /// Whether the background is darker than middle grey.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        let Rgb(red, green, blue) = self.bg;
        u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114 < 128_000
    }

    /// The color numbered `index` of 256.
    #[must_use]
    pub fn indexed(&self, index: u8) -> Rgb {
        match index {
            0..16 => self.palette[usize::from(index)],
            16..232 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + step * 40 };
                let cube = index - 16;
                Rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            232.. => {
                let grey = 8 + (index - 232) * 10;
                Rgb(grey, grey, grey)
            }
        }
    }
}

impl Rgb {
    /// A color as X11 writes it: `rgb:r/g/b` with 1 to 4 hex digits each, or `#` and 3, 6, 9 or 12.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let hex = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
            digits.then(|| u32::from_str_radix(part, 16).ok()).flatten()
        };
        let channels: Vec<u8> = if let Some(rest) = text.strip_prefix("rgb:") {
            let parts: Vec<&str> = rest.split('/').collect();
            let len = parts.first()?.len();
            if !(1..=4).contains(&len) || parts.iter().any(|part| part.len() != len) {
                return None;
            }
            let most = (1 << (4 * len)) - 1;
            // To the nearest of 256 levels.
            let scaled = parts.iter().map(|part| Some((hex(part)? * 510 + most) / (2 * most)));
            scaled.map(|level| u8::try_from(level?).ok()).collect::<Option<_>>()?
        } else {
            let digits = text.strip_prefix('#')?;
            let len = digits.len() / 3;
            if !matches!(digits.len(), 3 | 6 | 9 | 12) || !digits.is_ascii() {
                return None;
            }
            let parts = digits.as_bytes().chunks_exact(len);
            let scaled = parts.map(|part| {
                let value = hex(std::str::from_utf8(part).ok()?)?;
                u8::try_from(if len == 1 { value << 4 } else { value >> (4 * (len - 2)) }).ok()
            });
            scaled.collect::<Option<_>>()?
        };
        match channels[..] {
            [red, green, blue] => Some(Self(red, green, blue)),
            _ => None,
        }
    }

    /// The color as queries are answered.
    pub(crate) fn report(self) -> String {
        let Self(red, green, blue) = self;
        format!("rgb:{red:02x}{red:02x}/{green:02x}{green:02x}/{blue:02x}{blue:02x}")
    }
}

/// Colors a program has set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Palette {
    /// Of the 256.
    pub(crate) indexed: BTreeMap<u8, Rgb>,
    /// Text, background, cursor (OSC 10, 11, 12).
    pub(crate) special: [Option<Rgb>; 3],
}
