//! How many columns a character takes, and which characters share a cell.
//!
//! Both answers come from two tables: the [`Class`] of a code point and a small machine over
//! classes whose state is what matters of the grapheme cluster so far. A step of the machine is one
//! byte laid out as xterm.js wants a provider's answer (`state << 3 | width << 1 | join`), so a
//! browser that is given the same two tables (see [`table()`]) cannot disagree with this crate.
//!
//! Totals are those of `string-width`, which Ink and so most agent CLIs lay their screens out
//! with. Easy to get wrong: a cell is at most two columns, so a cluster that counts three (an Indic
//! conjunct, a stray skin tone) goes on in a new cell; and a text-style selector (U+FE0E) does not
//! narrow an emoji, because xterm.js cannot take a column back.

mod machine;
mod table;

use std::sync::LazyLock;

use crate::num;
use machine::{MACHINE, open};
pub(crate) use machine::{START, Step, is_open, joins, width};

/// What the width machine knows about a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// One column, joins nothing.
    Narrow,
    /// Two columns, joins nothing.
    Wide,
    /// No column and no part of a cluster: format characters, zero-width space.
    Invisible,
    /// No column, joins what precedes: combining marks, tags.
    Extend,
    /// One column more for the cluster it joins: spacing marks, halfwidth dakuten.
    Spacing,
    /// U+200D.
    Joiner,
    /// U+FE0F, which makes an emoji of a text picture.
    EmojiStyle,
    /// A virama that stacks the next consonant.
    Linker,
    /// A consonant that a virama stacks.
    Consonant,
    /// A skin tone.
    SkinTone,
    /// A regional indicator; two make a flag.
    Flag,
    /// A digit, `#` or `*`: U+FE0F makes it an emoji.
    Keycap,
    /// One column, pictographic, never an emoji.
    Picture,
    /// One column, an emoji with U+FE0F.
    EmojiPicture,
    /// The same, and takes a skin tone.
    EmojiPictureBase,
    /// Two columns, pictographic.
    WidePicture,
    /// The same, and takes a skin tone.
    WidePictureBase,
    /// A leading consonant of a Hangul syllable.
    HangulL,
    /// A vowel of a Hangul syllable.
    HangulV,
    /// A trailing consonant of a Hangul syllable.
    HangulT,
    /// A syllable without a trailing consonant.
    HangulLV,
    /// A whole syllable.
    HangulLVT,
}

const CLASSES: usize = 22;

/// Code points in a block of the lookup table.
const BLOCK: usize = 128;

/// The classes of all code points, for lookup by index.
pub(crate) struct Widths {
    block_of: Box<[u16]>,
    blocks: Vec<[u8; BLOCK]>,
}

/// The one table, built on first use.
static WIDTHS: LazyLock<Widths> = LazyLock::new(Widths::build);

impl std::fmt::Debug for Widths {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Widths").field("blocks", &self.blocks.len()).finish_non_exhaustive()
    }
}

impl Widths {
    /// The table.
    pub(crate) fn get() -> &'static Self {
        &WIDTHS
    }

    #[expect(clippy::as_conversions, reason = "a discriminant")]
    fn build() -> Self {
        let mut flat = vec![0; 0x11_0000];
        for (index, &(from, class)) in table::RUNS.iter().enumerate() {
            let to = table::RUNS.get(index + 1).map_or(0x11_0000, |run| run.0);
            flat[num::index(from)..num::index(to)].fill(class as u8);
        }
        let mut blocks: Vec<[u8; BLOCK]> = Vec::new();
        let block_of = flat
            .chunks_exact(BLOCK)
            .map(|chunk| {
                let at = blocks.iter().position(|block| block == chunk).unwrap_or_else(|| {
                    let mut block = [0; BLOCK];
                    block.copy_from_slice(chunk);
                    blocks.push(block);
                    blocks.len() - 1
                });
                num::narrow(at)
            })
            .collect();
        Self { block_of, blocks }
    }

    /// The step for `code` after `before`.
    #[inline]
    pub(crate) fn step(&self, code: u32, before: Step) -> Step {
        let code = num::index(code);
        let block = self.block_of.get(code / BLOCK).copied().unwrap_or(0);
        let class = self.blocks[usize::from(block)][code % BLOCK];
        MACHINE[usize::from(before >> 3)][usize::from(class)]
    }

    /// The step for a character that nothing precedes.
    #[inline]
    pub(crate) fn first(&self, code: u32) -> Step {
        self.step(code, START)
    }
}

/// The step after a byte of printable ASCII, which never joins anything.
#[inline]
pub(crate) const fn after_ascii(byte: u8) -> Step {
    match byte {
        b'0'..=b'9' | b'#' | b'*' => open(Class::Keycap),
        _ => open(Class::Narrow),
    }
}

/// The tables, for a generator of the browser's provider.
///
/// `charProperties(code, preceding)` of xterm.js is then
/// `steps[(preceding >> 3) * classes + class(code)]` and nothing else, where `class(code)` is the
/// class of the last run that starts at or before `code`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Where each run of equal class starts, and that class.
    pub runs: Vec<(u32, u8)>,
    /// Number of classes: the length of one row of `steps`.
    pub classes: usize,
    /// The machine, row by row.
    pub steps: Vec<u8>,
}

/// The tables this crate measures with.
#[must_use]
#[expect(clippy::as_conversions, reason = "a discriminant")]
pub fn table() -> Table {
    Table {
        runs: table::RUNS.iter().map(|&(from, class)| (from, class as u8)).collect(),
        classes: CLASSES,
        steps: MACHINE.as_flattened().to_vec(),
    }
}

/// Columns that `text` takes when it is printed on one line.
#[must_use]
pub fn columns(text: &str) -> usize {
    let mut before = START;
    let mut total = 0;
    for character in text.chars().filter(|character| !character.is_control()) {
        let step = Widths::get().step(character.into(), before);
        let joined = if joins(step) { width(before) } else { 0 };
        total += usize::from(width(step).saturating_sub(joined));
        before = step;
    }
    total
}
