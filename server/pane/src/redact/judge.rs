//! One word, judged by all rules at once.
//!
//! Rules overlap: the value of `API_KEY=` may be a token with a tag of its own. A token at the
//! start of a value keeps its tag; one further inside is starred with the value around it.

use super::{
    anchors::{self, Hit, Shape},
    context::{self, Announced, Found, Judged},
    exact::Values,
    mask::Mask,
    rest::{Rest, RestClass},
    span::Word,
    token::{self, BODY_STARTED, End},
};

/// What is to be done with a word.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// What to mask, in order and apart.
    pub(super) masks: Vec<Mask>,
    /// How far the view is judged.
    pub(super) to: usize,
    /// A secret that goes on after `to`.
    pub(super) rest: Option<Rest>,
    /// Where the line begins on which it stands, when that is not where it began: its rest may
    /// turn out to be a word of its own.
    pub(super) rest_word: Option<usize>,
    /// More of the view has to be seen first.
    pub(super) needs_more: bool,
    /// From where on the word may be the start of a secret.
    pub(super) undecided: Option<usize>,
    /// What the word announces about the next.
    pub(super) announces: Announced,
}

/// Judges `word` after what was announced `before`.
pub(super) fn judge(word: Word<'_>, before: Announced, values: &Values) -> Verdict {
    let hits = anchors::hits_within(word.view, word.start, word.end);
    let turns_on = before != Announced::Nothing || hits.iter().any(|hit| hit.anchor.is_none());
    let context = if turns_on {
        context::judge(word, before)
    } else {
        Judged { to: word.end, ..Judged::default() }
    };
    let mut verdict =
        Verdict { to: context.to, announces: context.announces, ..Verdict::default() };
    if context.needs_more {
        verdict.needs_more = true;
        verdict.undecided = Some(word.start);
        if word.may_wait {
            return verdict;
        }
    }
    let hits = if verdict.to > word.end {
        anchors::hits_within(word.view, word.start, verdict.to)
    } else {
        hits
    };
    tokens(word, hits, &mut verdict);
    for found in context.found {
        value(word, found, &mut verdict);
    }
    exact(word, values, &mut verdict);
    verdict.masks.sort_by_key(|mask| mask.from);
    if !word.closed && verdict.rest.is_none() {
        let tail = prefix_start(word).or_else(|| partial_value(word, values, &mut verdict));
        verdict.undecided = [verdict.undecided, tail].into_iter().flatten().min();
    }
    verdict
}

/// Anchored tokens.
fn tokens(word: Word<'_>, mut hits: Vec<Hit>, verdict: &mut Verdict) {
    let view = word.view;
    hits.retain(|hit| {
        hit.anchor.is_some_and(|anchor| {
            view.get(hit.start..hit.end) == Some(anchor.prefix.as_bytes())
                && (anchor.shape == Shape::AfterNumber || anchors::begins_word(view, hit.start))
        })
    });
    hits.sort_by_key(|hit| (hit.start, usize::MAX - hit.end));
    let mut past = word.start;
    for hit in hits {
        let Some(anchor) = hit.anchor else { continue };
        let start = hit.start;
        if start < past {
            continue;
        }
        let token = token::walk(word.view, start, anchor);
        if token.end == End::Fails {
            continue;
        }
        let end = token.pieces.last().map_or(start, |piece| piece.1);
        past = end;
        if token.end == End::Open {
            if word.may_wait {
                verdict.needs_more = true;
                return;
            }
            if token.body < BODY_STARTED {
                verdict.undecided = Some(start);
                return;
            }
        }
        let first = verdict.masks.len();
        let mut cell = 0;
        for &(from, to) in &token.pieces {
            verdict.masks.push(Mask { from, to, tag: anchor.tag, cell });
            // Every class is ASCII, so a byte is a cell.
            cell += to - from;
        }
        if token.end == End::Whole && cell < anchor.tag.len() {
            verdict.masks[first..].iter_mut().for_each(|mask| mask.tag = "");
        }
        verdict.to = verdict.to.max(end);
        if token.end != End::Whole {
            verdict.to = end;
            verdict.rest = Some(Rest::of(&token, anchor, cell));
            verdict.rest_word = token.pieces.get(1..).and_then(|more| more.last()).map(|p| p.0);
            return;
        }
    }
}

/// A value found by its context, beside the tokens that are known.
fn value(word: Word<'_>, mut found: Found, verdict: &mut Verdict) {
    if let Some(token) = verdict.masks.iter().rfind(|mask| mask.from == found.from) {
        found.from = token.to;
    }
    if found.from >= found.to {
        return;
    }
    if let Some(class) = found.open {
        // What may become a token of its own is held, so that it gets its tag.
        if verdict.undecided == Some(found.from) {
            return;
        }
        if found.to - found.from < BODY_STARTED && class != RestClass::Password {
            let from = verdict.undecided.unwrap_or(found.from);
            verdict.undecided = Some(from.min(found.from));
            return;
        }
        verdict.rest = Some(Rest::stars(class));
        verdict.to = word.view.len();
    }
    verdict.masks.retain(|mask| mask.to <= found.from || mask.from >= found.to);
    verdict.masks.push(Mask::stars(found.from, found.to));
}

/// Values known to the host, where no other rule has found something.
fn exact(word: Word<'_>, values: &Values, verdict: &mut Verdict) {
    let end = verdict.to.max(word.end).min(word.view.len());
    let text = word.view.get(word.start..end).unwrap_or_default();
    for (from, to) in values.find(text) {
        star_gaps(word.start + from, word.start + to, &mut verdict.masks);
    }
}

/// The start of a value at the end of what is seen: held while it is short, else masked.
fn partial_value(word: Word<'_>, values: &Values, verdict: &mut Verdict) -> Option<usize> {
    let from = word.start + values.partial(word.text())?;
    if word.end - from < BODY_STARTED {
        return Some(from);
    }
    star_gaps(from, word.end, &mut verdict.masks);
    verdict.masks.sort_by_key(|mask| mask.from);
    verdict.rest = Some(Rest::stars(RestClass::Value));
    verdict.to = word.view.len();
    None
}

/// Stars `from..to` where it is not masked already.
pub(super) fn star_gaps(from: usize, to: usize, masks: &mut Vec<Mask>) {
    let mut at = from;
    let mut taken: Vec<(usize, usize)> = masks.iter().map(|mask| (mask.from, mask.to)).collect();
    taken.sort_unstable();
    for (start, end) in taken {
        if end <= at || start >= to {
            continue;
        }
        if at < start {
            masks.push(Mask::stars(at, start));
        }
        at = at.max(end);
    }
    if at < to {
        masks.push(Mask::stars(at, to));
    }
}

/// Where the word's tail begins when it may become the prefix of a token.
fn prefix_start(word: Word<'_>) -> Option<usize> {
    let text = word.text();
    let from = text.len().saturating_sub(anchors::TRIGGER_BYTES_MAX);
    (from..text.len()).map(|at| word.start + at).find(|&at| {
        anchors::begins_word(word.view, at)
            && word.view.get(at..word.end).is_some_and(anchors::is_prefix_start)
    })
}
