//! What the next character will look like, and SGR, which says so.
//!
//! The colors are kept exactly as xterm.js keeps them, with what an earlier RGB color left behind a
//! palette index: invisible, but part of a state that a snapshot has to rebuild.

use crate::cell::{Style, bg, color, fg};
use crate::extras::{Extra, Extras};
use crate::parser::Params;

/// The pen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Pen {
    /// Foreground color and flags.
    pub(crate) fg: u32,
    /// Background color and flags.
    pub(crate) bg: u32,
    /// Underline style, 0 to 5.
    pub(crate) underline: u32,
    /// Underline color and the open link.
    pub(crate) extra: Extra,
}

impl Pen {
    /// The style of a cell drawn with the pen.
    pub(crate) fn style(&self, extras: &mut Extras) -> Style {
        let (underline, extra) = if self.bg & bg::EXTENDED == 0 {
            (0, 0)
        } else if self.extra == Extra::default() {
            (self.underline, 0)
        } else {
            (self.underline, extras.intern(self.extra))
        };
        Style {
            fg: visible(self.fg),
            bg: visible(self.bg & !bg::EXTENDED),
            ext: underline | extra << 3,
        }
    }

    /// Opens a link, or closes the open one (0).
    pub(crate) fn set_link(&mut self, link: u32) {
        self.extra.link = link;
        self.update_extended();
    }

    /// Applies the parameters of `CSI … m`.
    pub(crate) fn apply(&mut self, params: &Params) {
        let mut at = 0;
        while at < params.len() {
            at += self.apply_one(params, at) + 1;
        }
    }

    /// Applies the parameter `at`; says how many more it used.
    fn apply_one(&mut self, params: &Params, at: usize) -> usize {
        let value = params.get(at);
        match value {
            0 => self.reset(),
            1 => self.fg |= fg::BOLD,
            2 => self.bg |= bg::DIM,
            3 => self.bg |= bg::ITALIC,
            4 => self.set_underline(params.sub(at).first().map_or(1, |&style| style)),
            5 => self.fg |= fg::BLINK,
            7 => self.fg |= fg::INVERSE,
            8 => self.fg |= fg::INVISIBLE,
            9 => self.fg |= fg::STRIKE,
            21 => self.set_underline(2),
            22 => {
                self.fg &= !fg::BOLD;
                self.bg &= !bg::DIM;
            }
            23 => self.bg &= !bg::ITALIC,
            24 => self.set_underline(0),
            25 => self.fg &= !fg::BLINK,
            27 => self.fg &= !fg::INVERSE,
            28 => self.fg &= !fg::INVISIBLE,
            29 => self.fg &= !fg::STRIKE,
            30..=37 => basic(&mut self.fg, value - 30),
            39 => self.fg &= !color::MASK,
            40..=47 => basic(&mut self.bg, value - 40),
            49 => self.bg &= !color::MASK,
            53 => self.bg |= bg::OVERLINE,
            55 => self.bg &= !bg::OVERLINE,
            // The reset of the underline color is white, in xterm.js.
            59 => {
                self.extra.underline_color = color::MASK;
                self.update_extended();
            }
            90..=97 => basic(&mut self.fg, value - 90 + 8),
            100..=107 => basic(&mut self.bg, value - 100 + 8),
            38 | 48 | 58 => return self.apply_color(params, at),
            _ => {}
        }
        0
    }

    fn reset(&mut self) {
        self.fg = 0;
        self.bg = 0;
        self.underline = 0;
        self.extra.underline_color = 0;
        self.update_extended();
    }

    fn set_underline(&mut self, style: i32) {
        self.underline = match style {
            0..=5 => style.unsigned_abs(),
            _ => 1,
        };
        if self.underline == 0 {
            self.fg &= !fg::UNDERLINE;
        } else {
            self.fg |= fg::UNDERLINE;
        }
        self.update_extended();
    }

    fn update_extended(&mut self) {
        if self.underline == 0 && self.extra.link == 0 {
            self.bg &= !bg::EXTENDED;
        } else {
            self.bg |= bg::EXTENDED;
        }
    }

    /// Applies `38`, `48` or `58` and what follows, in semicolons, colons or a mix.
    ///
    /// Gathers target, kind, color space and up to three values; the color space is only there in
    /// the form with colons.
    fn apply_color(&mut self, params: &Params, at: usize) -> usize {
        let only_semicolons = !params.has_subs() && at + 2 < params.len();
        let values = [2, 3, 4].map(|offset| params.get(at + offset));
        match (only_semicolons, params.get(at + 1)) {
            (true, 5) => {
                self.mix_into(params.get(at), 5, values);
                return 2;
            }
            (true, 2) if at + 4 < params.len() => {
                self.mix_into(params.get(at), 2, values);
                return 4;
            }
            _ => {}
        }
        let mut slots = [0, 0, -1, 0, 0, 0];
        let mut skipped = 0;
        let mut used = 0;
        loop {
            slots[used + skipped] = params.get(at + used);
            let subs = params.sub(at + used);
            if !subs.is_empty() {
                for (index, &sub) in subs.iter().enumerate() {
                    if slots[1] == 5 {
                        skipped = 1;
                    }
                    let Some(slot) = slots.get_mut(used + index + 1 + skipped) else { break };
                    *slot = sub;
                }
                break;
            }
            if slots[1] == 5 && used + skipped >= 2 || slots[1] == 2 && used + skipped >= 5 {
                break;
            }
            if slots[1] != 0 {
                skipped = 1;
            }
            used += 1;
            if at + used >= params.len() || used + skipped >= slots.len() {
                break;
            }
        }
        let values =
            [slots[3], slots[4], slots[5]].map(|value| if value == -1 { 0 } else { value });
        self.mix_into(slots[0], slots[1], values);
        used
    }

    fn mix_into(&mut self, target: i32, kind: i32, values: [i32; 3]) {
        match target {
            38 => mix(&mut self.fg, kind, values),
            48 => mix(&mut self.bg, kind, values),
            58 => mix(&mut self.extra.underline_color, kind, values),
            _ => {}
        }
    }
}

/// Drops what cannot be seen of a color: the rest of an RGB value behind a palette index.
fn visible(color: u32) -> u32 {
    match color & color::KIND {
        color::BASIC | color::INDEXED => color & !0x00ff_ff00,
        _ => color,
    }
}

fn basic(color: &mut u32, index: i32) {
    *color = *color & !(color::KIND | 0xff) | color::BASIC | index.unsigned_abs();
}

fn mix(color: &mut u32, kind: i32, values: [i32; 3]) {
    let [a, b, c] = values.map(|value| u32::from(crate::num::low(value.cast_unsigned())));
    match kind {
        2 => *color = *color & !color::MASK | color::RGB | a << 16 | b << 8 | c,
        5 => *color = *color & !(color::KIND | 0xff) | color::INDEXED | a,
        _ => {}
    }
}
