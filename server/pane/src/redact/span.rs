//! Where the names and values inside a word begin and end.

use super::names;

/// Longest quoted value that is held to be judged whole.
const QUOTED_BYTES_MAX: usize = 256;

/// How every tag begins.
const TAG_START: &[u8] = b"[redacted:";

/// A word of the view.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    /// The view up to where it may be looked at.
    pub(super) view: &'a [u8],
    /// Where the word begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether it really ends there, as opposed to the view ending.
    pub(super) closed: bool,
    /// Whether more of the view may be waited for.
    pub(super) may_wait: bool,
}

/// A value in the view.
#[derive(Debug)]
pub(super) struct Value {
    /// Where it begins, past an opening quote.
    pub(super) from: usize,
    /// Where it ends.
    pub(super) to: usize,
    /// Where the text goes on, past a closing quote.
    pub(super) next: usize,
    /// The quote around it.
    pub(super) quote: Option<u8>,
    /// Whether the view ends before it does.
    pub(super) open: bool,
}

impl<'a> Word<'a> {
    /// The word.
    pub(super) fn text(self) -> &'a [u8] {
        self.view.get(self.start..self.end).unwrap_or_default()
    }

    /// The next `=` or `:` at or after `at`.
    pub(super) fn separator(self, at: usize) -> Option<usize> {
        memchr::memchr2(b'=', b':', self.view.get(at..self.end)?).map(|found| at + found)
    }

    /// The name that ends before `sep`, without its quotes, and where it begins.
    pub(super) fn name_before(self, sep: usize) -> (usize, &'a [u8]) {
        let mut end = sep;
        while end > self.start && b"\"'`\\]?".contains(&self.view[end - 1]) {
            end -= 1;
        }
        let mut begin = end;
        while begin > self.start && is_name_byte(self.view[begin - 1]) {
            begin -= 1;
        }
        // The letter of `\n` is no part of the name after it.
        if begin > self.start && self.view[begin - 1] == b'\\' && begin < end {
            begin += 1;
        }
        // A tag names a kind of secret, not a secret.
        if self.view[..begin].ends_with(TAG_START) {
            return (end, &[]);
        }
        (begin, self.view.get(begin..end).unwrap_or_default())
    }

    /// Whether a quote or bracket stands before `at`.
    pub(super) fn is_quoted(self, at: usize) -> bool {
        at > self.start && b"\"'`([{".contains(&self.view[at - 1])
    }

    /// Whether the name at `at` is the second half of `API key`.
    pub(super) fn is_split_key(self, at: usize, name: &[u8]) -> bool {
        if !name.eq_ignore_ascii_case(b"key") {
            return false;
        }
        let Some(text) = self.view.get(..at).and_then(|text| text.strip_suffix(b" ")) else {
            return false;
        };
        let word = text.iter().rev().take_while(|&&b| is_name_byte(b)).count();
        names::is_key_word(text.get(text.len() - word..).unwrap_or_default())
    }

    /// The value that begins at `from`, or `None` when its end is still to come.
    pub(super) fn value(self, from: usize) -> Option<Value> {
        let escaped = self.view.get(from) == Some(&b'\\');
        let at = from + usize::from(escaped);
        let Some(&quote) = self.view.get(at).filter(|&b| is_quote(&[*b])) else {
            return Some(self.unquoted_value(from));
        };
        let start = at + 1;
        match closing_quote(self.view, start, quote, escaped) {
            Close::At(to) => {
                let next = to + 1 + usize::from(self.view.get(to) == Some(&b'\\'));
                Some(Value { from: start, to, next, quote: Some(quote), open: false })
            }
            Close::Unknown if self.may_wait => None,
            Close::Unknown if !self.closed => {
                let to = self.view.len();
                Some(Value { from: start, to, next: to, quote: Some(quote), open: true })
            }
            Close::Unknown | Close::Never => Some(self.unquoted_value(start)),
        }
    }

    fn unquoted_value(self, from: usize) -> Value {
        let to = unquoted_end(self.view, from, self.end);
        let open = to == self.end && !self.closed;
        Value { from, to, next: to, quote: None, open }
    }
}

/// Whether and where a quote closes.
enum Close {
    At(usize),
    Unknown,
    Never,
}

fn closing_quote(view: &[u8], start: usize, quote: u8, escaped: bool) -> Close {
    let mut at = start;
    while at < start + QUOTED_BYTES_MAX {
        match view.get(at) {
            None => return Close::Unknown,
            Some(b'\\') if escaped && view.get(at + 1) == Some(&quote) => return Close::At(at),
            Some(b'\\') => at += 2,
            Some(&byte) if byte == quote => return Close::At(at),
            Some(&byte) if byte < b' ' && byte != b'\t' => return Close::Never,
            Some(_) => at += 1,
        }
    }
    Close::Never
}

/// Where an unquoted value ends: at a quote, or at punctuation that closes what it stands in.
fn unquoted_end(view: &[u8], from: usize, end: usize) -> usize {
    let text = view.get(from..end).unwrap_or_default();
    let closers = text.iter().rev().take_while(|b| b")]}>,;.:".contains(b)).count();
    let stops = |at: usize, byte: u8| {
        let rest = text.get(at + 1..).unwrap_or_default();
        match byte {
            b'"' | b'\'' | b'`' => true,
            b'&' | b';' | b',' => rest.is_empty() || begins_pair(rest),
            b')' | b']' | b'}' | b'>' => at + closers >= text.len(),
            b'.' => rest.is_empty(),
            b'\\' => matches!(rest, [b'"' | b'\'' | b'n' | b'r', ..]),
            _ => false,
        }
    };
    let len = text.iter().enumerate().position(|(at, &byte)| stops(at, byte));
    from + len.unwrap_or(text.len())
}

/// Whether `text` begins with another `name=` or `name:`, or with a quote.
fn begins_pair(text: &[u8]) -> bool {
    let name = text.iter().take(64).take_while(|&&b| is_name_byte(b)).count();
    match text.get(name) {
        Some(b'=' | b':') => name > 0,
        Some(b'"' | b'\'') => true,
        _ => false,
    }
}

/// Whether `text` is one quote.
pub(super) fn is_quote(text: &[u8]) -> bool {
    matches!(text, [b'"' | b'\'' | b'`'])
}

/// `text` without an opening quote.
pub(super) fn unquoted(text: &[u8]) -> &[u8] {
    match text.strip_prefix(b"\\").unwrap_or(text) {
        [b'"' | b'\'' | b'`', rest @ ..] => rest,
        _ => text,
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
