//! Goes through the view word by word and releases what is decided.
//!
//! Every decision is a function of the stream alone, never of where a chunk ended: a word is
//! judged when its end is seen, or when it reaches a bound that is counted in the stream. Only a
//! deadline judges what happens to be there, and then on the side of masking.

use super::{
    anchors,
    block::{self, Block},
    context::Announced,
    exact::Values,
    hold::{CONTEXT_BYTES, Hold},
    judge::{self, Verdict},
    mask::Mask,
    rest::{Rest, Step},
    span::Word,
};

/// Most text of an unfinished word that is held.
pub(super) const WORD_BYTES_MAX: usize = 8 * 1024;
/// What stays held of a longer word: room for a name and the start of its value.
const WORD_TAIL_BYTES: usize = 64;
/// Most raw bytes of an unfinished word, escape sequences in it included.
pub(super) const WORD_RAW_MAX: usize = 64 * 1024;

/// Why the view is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// More may come at once.
    Flowing,
    /// Nothing came for a while: what can be decided either way is.
    Deadline,
    /// Nothing will come.
    End,
}

/// What the stream so far says about what comes.
#[derive(Debug, Default)]
pub(super) struct Engine {
    announced: Announced,
    /// A secret whose start is released masked.
    rest: Option<Rest>,
    /// The body of a private key.
    block: Option<Block>,
    /// Where in the view the word began whose first part is released.
    word_start: Option<usize>,
    /// Up to where the view holds no white space after `base`.
    seen: usize,
}

impl Engine {
    /// Whether text without a trigger passes unchanged.
    pub(super) fn is_quiet(&self) -> bool {
        self.announced == Announced::Nothing
            && self.rest.is_none()
            && self.block.is_none()
            && self.word_start.is_none()
    }

    pub(super) fn rest(&self) -> Option<&Rest> {
        self.rest.as_ref()
    }

    pub(super) fn set_rest(&mut self, rest: Rest) {
        self.rest = Some(rest);
    }

    pub(super) fn block(&self) -> Option<&Block> {
        self.block.as_ref()
    }

    pub(super) fn set_block(&mut self, block: Block) {
        self.block = Some(block);
    }

    /// Text passed by without being held.
    pub(super) fn on_skipped(&mut self) {
        self.seen = 0;
    }

    /// What is held of `hold` is given up: the next text goes on after it all the same.
    pub(super) fn give_up(&mut self, hold: &mut Hold, out: &mut Vec<u8>) {
        let held = hold.view().get(hold.base()..).unwrap_or_default();
        if let Some(space) = held.iter().rposition(|&b| is_space(b)) {
            let word = hold.base() + space + 1;
            self.word_start = (word < hold.view().len()).then_some(word);
            self.announced = Announced::Nothing;
        } else if !held.is_empty() {
            self.word_start.get_or_insert(hold.base());
        }
        hold.release(hold.view().len(), &[], out);
    }

    /// Forgets the word under way and what was announced: the stream is broken here.
    pub(super) fn on_break(&mut self) {
        *self = Self { block: self.block, ..Self::default() };
    }

    /// Releases what is decided.
    pub(super) fn run(&mut self, hold: &mut Hold, values: &Values, when: When, out: &mut Vec<u8>) {
        while hold.base() < hold.view().len() {
            let goes_on = if self.rest.is_some() {
                self.go_on(hold, out);
                true
            } else if self.skip_space(hold, out) {
                true
            } else if self.block.is_some() {
                self.block_word(hold, values, when, out)
            } else {
                self.skip_plain(hold, values, out);
                self.word(hold, values, when, out)
            };
            if !goes_on {
                break;
            }
        }
        hold.release(hold.base(), &[], out);
        let moved = hold.compact();
        self.seen = self.seen.saturating_sub(moved);
        self.word_start = self.word_start.map(|start| start.saturating_sub(moved));
    }

    /// Masks the rest of a secret as far as it is there.
    fn go_on(&mut self, hold: &mut Hold, out: &mut Vec<u8>) {
        let Some(mut rest) = self.rest.take() else { return };
        let mut masks: Vec<Mask> = Vec::new();
        let mut at = hold.base();
        let end = hold.view().len();
        let mut ended = false;
        while at < end {
            match rest.step(hold.view(), at) {
                Step::Mask => {
                    match masks.last_mut() {
                        Some(mask) if mask.to == at => mask.to += 1,
                        _ => masks.push(Mask { from: at, to: at + 1, tag: rest.tag, cell: 0 }),
                    }
                    // What looks like the rest may be a secret of its own and go on further, so
                    // the word it ends in is judged from here.
                    self.word_start.get_or_insert(at);
                    at += 1;
                }
                Step::Pass(len) => {
                    self.word_start = None;
                    at += len;
                }
                Step::Ends => {
                    ended = true;
                    break;
                }
            }
        }
        for mask in &mut masks {
            mask.cell = rest.cell;
            rest.cell += hold.cells(mask.from..mask.to);
        }
        hold.release(at, &masks, out);
        self.rest = (!ended).then_some(rest);
    }

    /// Releases white space, which ends a word and at a line's end what was announced.
    fn skip_space(&mut self, hold: &mut Hold, out: &mut Vec<u8>) -> bool {
        let held = hold.view().get(hold.base()..).unwrap_or_default();
        let count = held.iter().take_while(|&&b| is_space(b)).count();
        if count == 0 {
            return false;
        }
        for &byte in held.iter().take(count) {
            if byte != b' ' && byte != b'\t' {
                self.announced = Announced::Nothing;
            }
            if let Some(block) = &mut self.block {
                block.on_space(byte);
            }
        }
        self.word_start = None;
        hold.release(hold.base() + count, &[], out);
        true
    }

    /// One word of the body of a private key. False when it must be held.
    fn block_word(
        &mut self,
        hold: &mut Hold,
        values: &Values,
        when: When,
        out: &mut Vec<u8>,
    ) -> bool {
        let Some(mut block) = self.block else { return false };
        let start = hold.base();
        let bound = bound(hold);
        let end = self.word_end(hold, bound.unwrap_or(hold.view().len()));
        let (end, next) = match end {
            Some(end) => (end, hold.view().get(end).copied()),
            None if bound.is_none() && when == When::Flowing => return false,
            None => (bound.unwrap_or(hold.view().len()), None),
        };
        let material = block.judge(hold.view(), start, end, next);
        if material.waits && when == When::Deadline {
            return false;
        }
        if material.ordinary {
            self.block = Some(block);
            return self.word(hold, values, when, out);
        }
        let mut masks = Vec::new();
        for &(from, to) in &material.runs {
            masks.push(Mask { from, to, tag: block.tag(), cell: block.cell });
            block.on_masked(to - from);
        }
        let mut to = material.ends.unwrap_or(end);
        let known = self.word_start.unwrap_or(start);
        for (from, until) in values.find(hold.view().get(known..end).unwrap_or_default()) {
            judge::star_gaps(known + from, known + until, &mut masks);
            to = to.max(known + until);
        }
        if next.is_none() {
            self.word_start = Some(known);
        }
        masks.sort_by_key(|mask| mask.from);
        hold.release(to, &masks, out);
        self.block = material.ends.is_none().then_some(block);
        true
    }

    /// Releases words no rule can turn on.
    fn skip_plain(&mut self, hold: &mut Hold, values: &Values, out: &mut Vec<u8>) {
        if !self.is_quiet() {
            return;
        }
        let view = hold.view();
        let base = hold.base();
        let shape = anchors::first_end(view, base);
        let value = values.first_end(view.get(base..).unwrap_or_default()).map(|end| base + end);
        // The word that a trigger ends in, or the last one, which may yet hold one.
        let last = [shape, value].into_iter().flatten().min().map_or(view.len(), |end| end - 1);
        let before = view.get(base..last).unwrap_or_default();
        let start = before.iter().rposition(|&b| is_space(b)).map_or(base, |at| base + at + 1);
        hold.release(start, &[], out);
    }

    /// Judges the word at the start of what is held. False when it must be held.
    fn word(&mut self, hold: &mut Hold, values: &Values, when: When, out: &mut Vec<u8>) -> bool {
        if hold.base() >= hold.view().len() {
            return false;
        }
        let known = hold.base().saturating_sub(CONTEXT_BYTES);
        let start = self.word_start.unwrap_or(hold.base()).max(known);
        let bound = bound(hold);
        let limit = bound.unwrap_or(hold.view().len());
        let end = self.word_end(hold, limit);
        let may_wait = when == When::Flowing && bound.is_none();
        if end.is_none() && may_wait {
            return false;
        }
        let closed = end.is_some() || when == When::End && bound.is_none();
        let view = hold.view().get(..limit).unwrap_or_default();
        let word = Word { view, start, end: end.unwrap_or(limit), closed, may_wait };
        if let Some(body) = block::opens(view, start, word.end).filter(|&body| body > hold.base()) {
            hold.release(body, &[], out);
            *self = Self { block: Some(Block::default()), ..Self::default() };
            return true;
        }
        let verdict = judge::judge(word, self.announced, values);
        if verdict.needs_more && may_wait {
            return false;
        }
        if end.is_some() && verdict.undecided.is_none() || verdict.rest.is_some() {
            self.word_start = verdict.rest_word;
            self.announced = verdict.announces;
            self.rest = verdict.rest;
            self.seen = 0;
            hold.release(verdict.to, &verdict.masks, out);
            return true;
        }
        self.part(hold, start, limit, bound.is_some(), when, &verdict, out)
    }

    /// Releases what can be of a word whose end is not known. False when all of it is held.
    #[expect(clippy::too_many_arguments, reason = "the second half of `word`")]
    fn part(
        &mut self,
        hold: &mut Hold,
        start: usize,
        limit: usize,
        bounded: bool,
        when: When,
        verdict: &Verdict,
        out: &mut Vec<u8>,
    ) -> bool {
        let base = hold.base();
        let mut to = limit;
        if when != When::End || bounded {
            to = to.min(verdict.undecided.unwrap_or(limit));
        }
        if bounded {
            to = to.min(limit.saturating_sub(WORD_TAIL_BYTES));
            // A bound must release something, or it is none.
            if to <= base {
                to = limit;
            }
        }
        let cut = verdict.masks.iter().find(|mask| mask.from < to && to < mask.to);
        to = cut.map_or(to, |mask| mask.to);
        while to < hold.view().len() && hold.view().get(to).is_some_and(|b| b & 0xc0 == 0x80) {
            to += 1;
        }
        if to <= base {
            return false;
        }
        self.word_start = Some(start);
        hold.release(to, &verdict.masks, out);
        bounded || when == When::End
    }

    /// Where the word that begins what is held ends, before `limit`.
    fn word_end(&mut self, hold: &Hold, limit: usize) -> Option<usize> {
        let from = self.seen.max(hold.base()).min(limit);
        let held = hold.view().get(from..limit).unwrap_or_default();
        let end = held.iter().position(|&b| is_space(b)).map(|at| from + at);
        self.seen = end.unwrap_or(limit);
        end
    }
}

/// Where the held text reaches a bound, if it does: a place in the stream, not in a chunk.
fn bound(hold: &Hold) -> Option<usize> {
    let base = hold.base();
    let view = hold.view();
    let mut text = base + WORD_BYTES_MAX;
    while text > base && view.get(text).is_some_and(|b| b & 0xc0 == 0x80) {
        text -= 1;
    }
    let raw = (hold.raw_bytes() >= WORD_RAW_MAX).then(|| hold.place_at_raw(base, WORD_RAW_MAX));
    let bound = raw.map_or(text, |raw| raw.min(text));
    (bound <= view.len()
        && (raw.is_some() || bound < view.len() || view.len() - base >= WORD_BYTES_MAX))
        .then_some(bound)
}

fn is_space(byte: u8) -> bool {
    byte <= b' '
}
