//! Styles back to the sequences that set them.

use std::fmt::Write as _;

use crate::cell::{Style, bg, color, fg};
use crate::extras::Extras;

/// Flags beside the foreground color, and what sets them.
const FG_FLAGS: [(u32, u8); 5] =
    [(fg::BOLD, 1), (fg::BLINK, 5), (fg::INVERSE, 7), (fg::INVISIBLE, 8), (fg::STRIKE, 9)];

/// Flags beside the background color, and what sets them.
const BG_FLAGS: [(u32, u8); 3] = [(bg::DIM, 2), (bg::ITALIC, 3), (bg::OVERLINE, 53)];

/// Writes the parameters that lead from no style to `style`, each behind a semicolon.
pub(crate) fn write_params(out: &mut String, style: Style, extras: &Extras) {
    for (flag, set) in FG_FLAGS {
        if style.fg & flag != 0 {
            // Writing to a string cannot fail.
            _ = write!(out, ";{set}");
        }
    }
    for (flag, set) in BG_FLAGS {
        if style.bg & flag != 0 {
            _ = write!(out, ";{set}");
        }
    }
    write_underline(out, style, extras);
    write_color(out, style.fg, 30);
    write_color(out, style.bg, 40);
}

/// Writes a sequence that leads from style `from` to `to`; the link apart, and protection, which a
/// reset takes away. Says whether there was one.
pub(crate) fn write_change(out: &mut String, from: Style, to: Style, extras: &Extras) -> bool {
    let flags = |style: Style| {
        (style.fg & !color::MASK, style.bg & !color::MASK & !bg::PROTECTED, looks(style, extras))
    };
    if flags(from) == flags(to) && (from.fg, from.bg) == (to.fg, to.bg) {
        return false;
    }
    let mut params = String::new();
    let mut reset = false;
    if flags(from) == flags(to) {
        for (from, to, base) in [(from.fg, to.fg, 30), (from.bg, to.bg, 40)] {
            if to & color::MASK == from & color::MASK {
                continue;
            }
            if to & color::KIND == 0 {
                _ = write!(params, ";{}", base + 9);
            }
            write_color(&mut params, to, base);
        }
    } else {
        if from != Style::DEFAULT {
            params.push_str(";0");
            reset = true;
        }
        write_params(&mut params, to, extras);
    }
    if params.is_empty() {
        return false;
    }
    let plain = params == ";0";
    out.push_str("\x1b[");
    out.extend(params.chars().skip(1).filter(|_| !plain));
    out.push('m');
    reset
}

/// Underline style and color: what of the rare attributes SGR sets.
fn looks(style: Style, extras: &Extras) -> (u32, u32) {
    (style.underline(), extras.get(style.extra()).underline_color)
}

fn write_underline(out: &mut String, style: Style, extras: &Extras) {
    match (style.underline(), style.fg & fg::UNDERLINE != 0) {
        (0, false) => {}
        (0 | 1, _) => out.push_str(";4"),
        (underline, _) => _ = write!(out, ";4:{underline}"),
    }
    write_underline_color(out, extras.get(style.extra()).underline_color);
}

/// Writes the parameters of an underline color, with what lies hidden behind a palette index.
pub(crate) fn write_underline_color(out: &mut String, value: u32) {
    let [low, green, red, _] = value.to_le_bytes();
    match value & color::KIND {
        color::RGB => _ = write!(out, ";58:2::{red}:{green}:{low}"),
        color::INDEXED => {
            if (red, green) != (0, 0) {
                _ = write!(out, ";58:2::{red}:{green}:0");
            }
            _ = write!(out, ";58:5:{low}");
        }
        _ => {}
    }
}

/// Writes the parameters of a color; `base` is 30 for the foreground, 40 for the background.
fn write_color(out: &mut String, value: u32, base: u8) {
    let [low, green, red, _] = value.to_le_bytes();
    match value & color::KIND {
        color::BASIC if low < 8 => _ = write!(out, ";{}", base + low),
        color::BASIC => _ = write!(out, ";{}", base + 60 + (low & 7)),
        color::INDEXED => _ = write!(out, ";{};5;{low}", base + 8),
        color::RGB => _ = write!(out, ";{};2;{red};{green};{low}", base + 8),
        _ => {}
    }
}

/// Writes what an earlier RGB color left behind a palette index, if it did: the pen of xterm.js
/// keeps it.
pub(crate) fn write_hidden(out: &mut String, value: u32, base: u8) {
    let [_, green, red, _] = value.to_le_bytes();
    let indexed = matches!(value & color::KIND, color::BASIC | color::INDEXED);
    if indexed && (red, green) != (0, 0) {
        _ = write!(out, "\x1b[{};2;{red};{green};0m", base + 8);
    }
}
