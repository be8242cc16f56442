//! A cell: what it shows and how.
//!
//! Sixteen bytes, all zero for a blank. A glyph is a code point or, for a grapheme cluster, the
//! place of its text in [`Clusters`](crate::clusters::Clusters); a wide character is followed by a
//! cell that holds only [`Glyph::SPACER`].

use crate::num;

/// What a cell shows, and how many columns it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Glyph(u32);

/// Set when the low bits are a place in the cluster table.
const CLUSTER: u32 = 1 << 31;
const WIDTH: u32 = 3 << 29;
const WIDE: u32 = 1 << 29;
const NO_WIDTH: u32 = 2 << 29;
const PAYLOAD: u32 = (1 << 29) - 1;

impl Glyph {
    /// Nothing, one column.
    pub(crate) const BLANK: Self = Self(0);
    /// The second column of a wide character.
    pub(crate) const SPACER: Self = Self(NO_WIDTH);

    /// A byte of printable ASCII.
    #[inline]
    pub(crate) fn ascii(byte: u8) -> Self {
        Self(byte.into())
    }

    /// A single code point of `width` 0, 1 or 2.
    #[inline]
    pub(crate) fn code(code: u32, width: u8) -> Self {
        Self(code & PAYLOAD | width_bits(width))
    }

    /// The cluster at `place`.
    #[inline]
    pub(crate) fn cluster(place: u32, width: u8) -> Self {
        Self(CLUSTER | place & PAYLOAD | width_bits(width))
    }

    /// Columns: 0 for a spacer, 1 for a blank.
    #[inline]
    pub(crate) fn width(self) -> u8 {
        match self.0 & WIDTH {
            0 => 1,
            WIDE => 2,
            _ => 0,
        }
    }

    /// The same content in `width` columns.
    pub(crate) fn with_width(self, width: u8) -> Self {
        Self(self.0 & !WIDTH | width_bits(width))
    }

    /// Whether there is anything to show, a space included.
    #[inline]
    pub(crate) fn has_content(self) -> bool {
        self.0 & (CLUSTER | PAYLOAD) != 0
    }

    /// The place of its text, for a cluster.
    #[inline]
    pub(crate) fn place(self) -> Option<u32> {
        (self.0 & CLUSTER != 0).then_some(self.0 & PAYLOAD)
    }

    /// Its code point; meaningless for a cluster.
    #[inline]
    pub(crate) fn code_point(self) -> u32 {
        self.0 & PAYLOAD
    }

    /// Whether it is a single code point, or nothing, in one column.
    #[inline]
    pub(crate) fn is_narrow_code(self) -> bool {
        self.0 & (CLUSTER | WIDTH) == 0
    }

    /// The stored number: below 0x80 for a blank and for ASCII.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Its byte, if it is printable ASCII.
    #[inline]
    pub(crate) fn as_ascii(self) -> Option<u8> {
        (self.0.wrapping_sub(1) < 0x7e).then(|| num::low(self.0))
    }
}

fn width_bits(width: u8) -> u32 {
    match width {
        0 => NO_WIDTH,
        1 => 0,
        _ => WIDE,
    }
}

/// Colors are as in xterm.js: a value of 24 bits and a kind above it, flags above that.
pub(crate) mod color {
    /// Kind and value.
    pub(crate) const MASK: u32 = 0x3ff_ffff;
    /// The kind alone.
    pub(crate) const KIND: u32 = 0x300_0000;
    /// One of the first 16 of the palette, by SGR 30 to 37 and kin.
    pub(crate) const BASIC: u32 = 0x100_0000;
    /// One of the 256 of the palette.
    pub(crate) const INDEXED: u32 = 0x200_0000;
    /// Red, green, blue.
    pub(crate) const RGB: u32 = 0x300_0000;
}

/// Flags beside the foreground color.
pub(crate) mod fg {
    pub(crate) const INVERSE: u32 = 1 << 26;
    pub(crate) const BOLD: u32 = 1 << 27;
    pub(crate) const UNDERLINE: u32 = 1 << 28;
    pub(crate) const BLINK: u32 = 1 << 29;
    pub(crate) const INVISIBLE: u32 = 1 << 30;
    pub(crate) const STRIKE: u32 = 1 << 31;
}

/// Flags beside the background color.
pub(crate) mod bg {
    pub(crate) const ITALIC: u32 = 1 << 26;
    pub(crate) const DIM: u32 = 1 << 27;
    /// The pen has an underline style or a link.
    pub(crate) const EXTENDED: u32 = 1 << 28;
    /// Not erased by a selective erase (DECSCA).
    pub(crate) const PROTECTED: u32 = 1 << 29;
    pub(crate) const OVERLINE: u32 = 1 << 30;
}

/// How a cell looks: colors, flags, and what is rarely there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Style {
    /// Foreground color and flags.
    pub(crate) fg: u32,
    /// Background color and flags; `EXTENDED` is never set in a cell.
    pub(crate) bg: u32,
    /// Underline style (low 3 bits), entry of [`Extras`](crate::extras::Extras) above.
    pub(crate) ext: u32,
}

impl Style {
    /// No color, no flag.
    pub(crate) const DEFAULT: Self = Self { fg: 0, bg: 0, ext: 0 };

    /// What an erase leaves behind: the background color alone.
    pub(crate) fn erased(self) -> Self {
        Self { fg: 0, bg: self.bg & color::MASK, ext: 0 }
    }

    /// Whether a blank in this style looks like a blank in `erased`.
    pub(crate) fn shows_on_blank(self) -> bool {
        self.fg & (fg::INVERSE | fg::UNDERLINE | fg::STRIKE) != 0
            || self.bg & (bg::OVERLINE | bg::PROTECTED) != 0
            || self.ext != 0
    }

    /// Underline style: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
    pub(crate) fn underline(self) -> u32 {
        self.ext & 7
    }

    /// Entry of the table of extras; 0 is none.
    pub(crate) fn extra(self) -> u32 {
        self.ext >> 3
    }
}

/// One column of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub(crate) struct Cell {
    pub(crate) glyph: Glyph,
    pub(crate) style: Style,
}

impl Cell {
    /// Nothing, in no style.
    pub(crate) const BLANK: Self = Self { glyph: Glyph::BLANK, style: Style::DEFAULT };

    /// Nothing, in `style`.
    pub(crate) fn blank(style: Style) -> Self {
        Self { glyph: Glyph::BLANK, style }
    }

    /// Whether a selective erase leaves it alone.
    pub(crate) fn is_protected(self) -> bool {
        self.style.bg & bg::PROTECTED != 0
    }
}
