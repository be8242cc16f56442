//! The rest of a secret whose start is released masked.
//!
//! Once a part of a secret went out as stars, everything its family or its quotes allow is masked
//! as it comes, whatever it would have been judged to be on its own.

use super::{
    anchors::{Anchor, Class},
    hold::{EDGE, LINE},
    token::{self, GUTTER_CELLS_MAX, Token},
};

/// A secret whose start is released masked: its rest is masked as it comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    /// What it goes on with.
    pub(super) class: RestClass,
    /// `[redacted:KIND]`, or empty.
    pub(super) tag: &'static str,
    /// Cells masked so far.
    pub(super) cell: usize,
    /// Characters it needs to be of its family; while some are missing, any line break is
    /// stepped over.
    pub(super) missing: usize,
    /// After a line break: border cells that may still come.
    pub(super) gutter: Option<usize>,
}

/// What a secret under way goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestClass {
    /// The characters of an anchored family.
    Token(Class),
    /// Everything up to white space, a quote or a separator of parameters.
    Value,
    /// The password of an URL: everything up to `@`, `/` or white space.
    Password,
    /// Everything up to this quote or the end of the line.
    Quoted(u8),
}

impl RestClass {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Token(class) => class.has(byte),
            Self::Value => byte > b' ' && !matches!(byte, b'"' | b'\'' | b'`' | b';' | b'&'),
            Self::Password => byte > b' ' && !matches!(byte, b'@' | b'/' | b'"' | b'\''),
            Self::Quoted(quote) => byte >= b' ' && byte != quote,
        }
    }
}

impl Rest {
    /// The rest of a token of `anchor` of which `token` is masked.
    pub(super) fn of(token: &Token, anchor: &'static Anchor, cell: usize) -> Self {
        Self {
            class: RestClass::Token(anchor.class),
            tag: anchor.tag,
            cell,
            missing: anchor.min.saturating_sub(token.body),
            gutter: None,
        }
    }

    /// The rest of a value without a tag.
    pub(super) fn stars(class: RestClass) -> Self {
        Self { class, tag: "", cell: 0, missing: 0, gutter: None }
    }

    /// Takes one view byte: whether it is masked, passed by, or ends the secret.
    pub(super) fn step(&mut self, view: &[u8], at: usize) -> Step {
        let byte = view[at];
        if self.class.has(byte) {
            self.missing = self.missing.saturating_sub(1);
            self.gutter = None;
            return Step::Mask;
        }
        let RestClass::Token(_) = self.class else { return Step::Ends };
        match (byte, self.gutter) {
            (b'\r', None) => Step::Pass(1),
            (EDGE, None) => self.over(),
            (LINE, None) if self.missing > 0 => self.over(),
            (_, Some(left)) if left > 0 => match token::gutter_cell(&view[at..]) {
                Some(len) => {
                    self.gutter = Some(left - 1);
                    Step::Pass(len)
                }
                None => Step::Ends,
            },
            _ => Step::Ends,
        }
    }

    fn over(&mut self) -> Step {
        self.gutter = Some(GUTTER_CELLS_MAX);
        Step::Pass(1)
    }
}

/// What one byte is to a secret under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A secret byte.
    Mask,
    /// So many bytes between parts of it.
    Pass(usize),
    /// The first byte after it.
    Ends,
}
