//! Walks one anchored token to its end, across hard line breaks.
//!
//! A program that wraps a key itself puts a line break, and perhaps the border of a box, into it.
//! Such a break does not end the token while it is shorter than its family allows, or when the
//! break stands at the last column of the pane.

use super::{
    anchors::{Anchor, Shape},
    hold::{EDGE, LINE},
};

/// Most cells of border and indent at the start of a continued line.
pub(super) const GUTTER_CELLS_MAX: usize = 8;

/// A body of this many characters is a secret that has begun: a deadline masks it.
pub(super) const BODY_STARTED: usize = 8;

const DASHES: &[u8] = b"-----";

/// The header of a JWT is a few words of JSON; a longer first part is other base 64.
const JWT_PART_MAX: usize = 2048;

/// A token as far as the view shows it.
#[derive(Debug, Default)]
pub(super) struct Token {
    /// Its parts in the view, line breaks and borders between them left out.
    pub(super) pieces: Vec<(usize, usize)>,
    /// Characters after the prefix.
    pub(super) body: usize,
    /// How it ends.
    pub(super) end: End,
}

/// Why a walk stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum End {
    /// The token is no secret of its family.
    #[default]
    Fails,
    /// It is whole.
    Whole,
    /// It is long enough and breaks at the edge of the pane, so the next line may continue it.
    AtEdge,
    /// The view ends first.
    Open,
}

/// A step over a line break and the border after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    /// The next line goes on at this place.
    Over { to: usize, edge: bool },
    /// The view ends before that is known.
    Unknown,
    /// There is no line break here, or something else follows it.
    None,
}

/// Walks the token of `anchor` whose prefix begins at `start`.
pub(super) fn walk(view: &[u8], start: usize, anchor: &Anchor) -> Token {
    let mut at = start + anchor.prefix.len();
    let mut token = Token::default();
    let Some(first) = first_cell(view, start, anchor) else { return token };
    token.pieces.push((first, at));
    let mut dots = Vec::new();
    loop {
        let run = at;
        while let Some(&byte) = view.get(at).filter(|&&byte| anchor.class.has(byte)) {
            // The line of dashes around an armored key, not a part of this one.
            if byte == b'-' && view.get(at..).is_some_and(|rest| rest.starts_with(DASHES)) {
                break;
            }
            if byte == b'.' {
                dots.push(token.body + (at - run));
            }
            at += 1;
        }
        token.body += at - run;
        if let Some(last) = token.pieces.last_mut() {
            last.1 = at;
        }
        if anchor.shape == Shape::Jwt && dots.is_empty() && token.body > JWT_PART_MAX {
            return Token::default();
        }
        let enough = is_enough(view, &token, anchor, &dots);
        match line_break(view, at) {
            Break::Unknown => {
                token.end = End::Open;
                return token;
            }
            Break::Over { to, edge } if edge || !enough => {
                if enough {
                    token.end = End::AtEdge;
                    return token;
                }
                match view.get(to) {
                    None => {
                        token.end = End::Open;
                        return token;
                    }
                    Some(&byte) if anchor.class.has(byte) => {
                        token.pieces.push((to, to));
                        at = to;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            Break::Over { .. } | Break::None => {}
        }
        finish(view, &mut token, anchor, enough, at, &dots);
        return token;
    }
}

/// Where the token's first cell is, for the families whose prefix is not the start of it.
fn first_cell(view: &[u8], start: usize, anchor: &Anchor) -> Option<usize> {
    if anchor.shape != Shape::AfterNumber {
        return Some(start);
    }
    let digits = view[..start].iter().rev().take_while(|b| b.is_ascii_digit()).count();
    (8..=10).contains(&digits).then_some(start - digits)
}

fn finish(
    view: &[u8],
    token: &mut Token,
    anchor: &Anchor,
    enough: bool,
    at: usize,
    dots: &[usize],
) {
    let next_is_word = view.get(at).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_');
    let exact = anchor.shape != Shape::Bounded || (token.body == anchor.min && !next_is_word);
    if !enough || !exact {
        return;
    }
    token.end = End::Whole;
    // A dot that ends a sentence is no part of the token.
    if dots.last().is_some_and(|&dot| dot + 1 == token.body)
        && let Some(last) = token.pieces.last_mut()
    {
        last.1 -= 1;
    }
}

/// Whether the token has all that its family asks for.
fn is_enough(view: &[u8], token: &Token, anchor: &Anchor, dots: &[usize]) -> bool {
    if token.body < anchor.min {
        return false;
    }
    match anchor.shape {
        Shape::Run | Shape::Bounded | Shape::AfterNumber => true,
        Shape::TwoParts => dots.iter().any(|&dot| dot >= 12 && dot + 12 < token.body),
        Shape::Jwt => match dots {
            [first, second, ..] => {
                *first >= 8
                    && *second >= first + 8
                    && *second + 4 < token.body
                    && body_starts(view, token, first + 1, anchor.prefix)
            }
            _ => false,
        },
    }
}

/// Whether the body has `text` at `offset`.
fn body_starts(view: &[u8], token: &Token, offset: usize, text: &str) -> bool {
    let prefix = text.len();
    let cells = token.pieces.iter().flat_map(|&(from, to)| view.get(from..to).unwrap_or_default());
    cells.skip(prefix + offset).take(text.len()).eq(text.as_bytes())
}

/// What stands at `at`: a line break that a token may go over, or not.
fn line_break(view: &[u8], at: usize) -> Break {
    let mut next = at;
    while view.get(next) == Some(&b'\r') {
        next += 1;
    }
    let edge = match view.get(next) {
        None => return Break::Unknown,
        Some(&EDGE) => true,
        Some(&LINE) => false,
        Some(_) => return Break::None,
    };
    next += 1;
    for _ in 0..GUTTER_CELLS_MAX {
        match gutter_cell(view.get(next..).unwrap_or_default()) {
            Some(len) => next += len,
            None => break,
        }
    }
    Break::Over { to: next, edge }
}

/// Bytes of the border or indent cell that `text` begins with.
pub(super) fn gutter_cell(text: &[u8]) -> Option<usize> {
    match text {
        [b' ' | b'|' | b'>', ..] => Some(1),
        [0xe2, 0x94, 0x82 | 0x83, ..] => Some(3),
        _ => None,
    }
}
