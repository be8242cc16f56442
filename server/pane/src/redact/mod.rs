//! Hides secrets in a session's output before anything of it is stored.
//!
//! Raw bytes go in as they come, redacted bytes come out as soon as they are decided. A secret
//! becomes as many mask cells as it had, and every escape sequence stays where it was, so a
//! replay looks like the session; only OSC 52, the clipboard, is dropped.
//!
//! What a reader would get wrong: the result does not depend on how the output was cut into
//! chunks. Rules look at words and lines of the stream, never at a chunk, and a word that may
//! still become a secret is held. The hold is bounded; [`Redactor::on_deadline`] shortens it
//! when output pauses, and masks what has begun to look like a secret rather than let it go.
//!
//! It is a net, not a wall: an encoded key, one painted cell by cell, or one typed with
//! corrections passes.

mod anchors;
mod block;
mod cells;
mod context;
mod csi;
mod engine;
mod exact;
mod hold;
mod judge;
mod mask;
mod names;
mod rest;
mod scan;
mod span;
mod state;
mod token;
mod url;
mod value;

#[cfg(test)]
mod tests;

use block::Block;
use engine::{Engine, When};
use exact::Values;
use hold::Hold;
use scan::Scanner;

pub use state::State;

/// Most raw bytes that stay held after a call: a word with what is painted into it, and an
/// unfinished escape sequence.
pub const HOLD_BYTES_MAX: usize = engine::WORD_RAW_MAX + scan::ESCAPE_BYTES_MAX;

/// Most bytes that are scanned before what they hold is decided.
const STEP_BYTES: usize = 4 * 1024;

/// Bytes looked at for plain text at first; the more passes, the more is looked at next.
const PLAIN_BYTES_MIN: usize = 256;
const PLAIN_BYTES_MAX: usize = 16 * 1024;
const CHECK_BYTES: usize = 64;

const ESC: u8 = 0x1b;

/// The redactor of one session's output.
#[derive(Debug)]
pub struct Redactor {
    scanner: Scanner,
    hold: Hold,
    engine: Engine,
    values: Values,
    /// Released output that may end short of what a fresh start would know, see [`State`].
    resumed: State,
}

impl Redactor {
    /// A redactor for a session that starts in a pane of `cols` columns.
    pub fn new(cols: u16) -> Self {
        Self {
            scanner: Scanner::new(cols),
            hold: Hold::default(),
            engine: Engine::default(),
            values: Values::default(),
            resumed: State::GROUND,
        }
    }

    /// A redactor that goes on where another stopped, in `state`.
    ///
    /// The caller feeds what it still has of the output before that place (128 KiB are enough)
    /// to [`Redactor::catch_up`], and from that place on uses [`Redactor::feed`].
    pub fn resume(state: State, cols: u16) -> Self {
        let mut redactor = Self::new(cols);
        redactor.resumed = state;
        redactor.enter(state);
        redactor
    }

    /// Takes raw output before the place of [`Redactor::resume`]: it is looked at, not released.
    ///
    /// After it nothing is held, so what is released next begins at that place exactly.
    pub fn catch_up(&mut self, before: &[u8]) {
        if before.is_empty() {
            return;
        }
        // Whatever the place lies in most likely begins in what is still there, so that is read
        // as a fresh stream; the state is for what began earlier.
        let mut discarded = Vec::new();
        self.engine = Engine::default();
        self.scanner.drop_pending();
        for step in before.chunks(HOLD_BYTES_MAX) {
            self.feed(step, &mut discarded);
            discarded.clear();
        }
        if self.resumed != State::GROUND && self.state() != self.resumed {
            self.on_deadline(&mut discarded);
        }
        self.engine.give_up(&mut self.hold, &mut discarded);
        if !self.scanner.in_clipboard() {
            self.scanner.drop_pending();
        }
        if self.resumed != State::GROUND && self.state() != self.resumed {
            self.engine = Engine::default();
            self.enter(self.resumed);
        }
    }

    fn enter(&mut self, state: State) {
        if state.is_clipboard() {
            self.scanner.enter_clipboard();
        }
        if let Some(block) = state.block() {
            self.engine.set_block(block);
        }
        if let Some(rest) = state.rest() {
            self.engine.set_rest(rest);
        }
    }

    /// Matches `value` literally from here on, if it has at least 8 characters.
    ///
    /// For secrets the host put into the session's environment, which need no shape.
    pub fn add_value(&mut self, value: &str) {
        self.values.add(value);
    }

    /// The pane is `cols` columns wide from here on.
    pub fn resize(&mut self, cols: u16) {
        self.scanner.resize(cols);
    }

    /// Takes raw output and releases into `out` what is decided.
    pub fn feed(&mut self, mut raw: &[u8], out: &mut Vec<u8>) {
        let mut window = PLAIN_BYTES_MIN;
        while !raw.is_empty() {
            if self.is_quiet() {
                let plain = plain_prefix(raw.get(..window).unwrap_or(raw));
                let passed = self.pass_plain(plain, out);
                if passed > 0 {
                    raw = raw.get(passed..).unwrap_or_default();
                    window = (window * 2).min(PLAIN_BYTES_MAX);
                    continue;
                }
            }
            window = PLAIN_BYTES_MIN;
            let (head, rest) = raw.split_at(step(raw));
            raw = rest;
            let values = &self.values;
            self.scanner.feed(head, &mut self.hold, &|payload| redact_payload(payload, values));
            self.engine.run(&mut self.hold, &self.values, When::Flowing, out);
        }
    }

    /// Nothing came for a while: releases what is held, masked where it has begun to look like
    /// a secret. Only the few characters that may be the start of one stay held.
    pub fn on_deadline(&mut self, out: &mut Vec<u8>) {
        self.engine.run(&mut self.hold, &self.values, When::Deadline, out);
    }

    /// The session ended: releases everything.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let values = &self.values;
        self.scanner.finish(&mut self.hold, &|payload| redact_payload(payload, values));
        self.engine.run(&mut self.hold, &self.values, When::End, out);
        self.engine.give_up(&mut self.hold, out);
    }

    /// Output is missing here. What is held is released as at the end of a session, and lines
    /// that could be the middle of a private key are masked until the first other line.
    pub fn on_gap(&mut self, out: &mut Vec<u8>) {
        self.finish(out);
        self.engine.on_break();
        self.engine.set_block(Block::after_gap());
    }

    /// Raw bytes fed and not released: what is released ends this far before what was fed.
    pub fn held_bytes(&self) -> usize {
        self.hold.raw_bytes() + self.scanner.pending_bytes()
    }

    /// What the end of what is released lies in; stored beside its offset.
    pub fn state(&self) -> State {
        // While a word before the clipboard is held, the release ends before both.
        let in_clipboard = self.scanner.in_clipboard() && self.hold.is_empty();
        State::of(in_clipboard, self.engine.block(), self.engine.rest())
    }

    /// Whether nothing is held or announced, so that plain text may pass without being held.
    fn is_quiet(&self) -> bool {
        self.hold.is_empty() && self.scanner.is_ground() && self.engine.is_quiet()
    }

    /// Releases the words that `plain` begins with as far as no rule can turn on them, and
    /// answers how many bytes that is.
    fn pass_plain(&mut self, plain: &str, out: &mut Vec<u8>) -> usize {
        let seam = anchors::first_end_over(self.hold.view(), plain.as_bytes());
        let value = self.values.first_end(plain.as_bytes());
        let last = [seam, value].into_iter().flatten().min().map_or(plain.len(), |end| end - 1);
        // The last word is left to the engine: it may go on, or hold a secret.
        let before = plain.as_bytes().get(..last).unwrap_or_default();
        let end = before.iter().rposition(|&b| b <= b' ').map_or(0, |at| at + 1);
        // A carriage return is judged with what follows it.
        let end = if end > 0 && before.get(end - 1) == Some(&b'\r') { end - 1 } else { end };
        let Some(text) = plain.get(..end).filter(|text| !text.is_empty()) else { return 0 };
        out.extend_from_slice(text.as_bytes());
        self.scanner.skip_plain(text);
        self.hold.remember(text.as_bytes());
        self.engine.on_skipped();
        end
    }
}

/// `text` as it may be stored: a title, a directory, a command line.
pub fn text(text: &str) -> String {
    let redacted = redact_payload(text.as_bytes(), &Values::default());
    String::from_utf8_lossy(&redacted).into_owned()
}

/// Redacts a text of its own, such as the payload of a string sequence.
fn redact_payload(payload: &[u8], values: &Values) -> Vec<u8> {
    let plain = anchors::is_plain(payload) && values.first_end(payload).is_none();
    if plain && std::str::from_utf8(payload).is_ok() {
        return payload.to_vec();
    }
    let mut redactor = Redactor { values: values.clone(), ..Redactor::new(0) };
    let mut out = Vec::with_capacity(payload.len());
    redactor.feed(payload, &mut out);
    redactor.finish(&mut out);
    out
}

/// How much of `raw` to scan at once. Text that holds a trigger is scanned by the line, so that
/// the next may pass as plain again; text with controls in it never passes, and goes by the page.
fn step(raw: &[u8]) -> usize {
    let window = raw.get(..STEP_BYTES).unwrap_or(raw);
    let line = memchr::memchr(b'\n', window).map_or(window.len(), |at| at + 1);
    if memchr::memchr(ESC, window.get(..line).unwrap_or_default()).is_none() {
        return line;
    }
    memchr::memrchr(b'\n', window).map_or(window.len(), |at| at + 1)
}

/// The valid text that `raw` begins with, up to the first control but tabs and line breaks.
fn plain_prefix(raw: &[u8]) -> &str {
    // Told by the block first: that loop has no branch in it.
    let blocks = raw
        .chunks(CHECK_BYTES)
        .take_while(|block| !block.iter().fold(false, |found, &byte| found | is_control(byte)));
    let clean = blocks.map(<[u8]>::len).sum();
    let rest = raw.get(clean..).unwrap_or_default();
    let len = clean + rest.iter().take_while(|&&byte| !is_control(byte)).count();
    let text = raw.get(..len).unwrap_or_default();
    match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let valid = text.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
    }
}

/// A byte that is, or may begin, a control other than a tab or line break.
fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
        | (byte == 0x7f)
        | (byte == 0xc2)
}
