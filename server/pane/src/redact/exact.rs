//! Secrets known by their value: those the host put into a session's environment.
//!
//! They need no shape. Each is looked for as it is and as programs print it: in base 64, percent
//! encoded and escaped for JSON. Values are in memory only, never in an error or a debug print.

use std::fmt;

use aho_corasick::{AhoCorasick, MatchKind};

/// Shorter values are words that output is full of.
pub(super) const VALUE_BYTES_MIN: usize = 8;

/// The values of one session.
#[derive(Clone, Default)]
pub(super) struct Values {
    forms: Vec<Vec<u8>>,
    automaton: Option<AhoCorasick>,
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").field("forms", &self.forms.len()).finish_non_exhaustive()
    }
}

impl Values {
    /// Adds `value`; parts of it between white space count each by itself.
    pub(super) fn add(&mut self, value: &str) {
        for part in value.split_whitespace().filter(|part| part.len() >= VALUE_BYTES_MIN) {
            let part = part.as_bytes();
            for form in
                [part.to_vec(), base64(part, b"+/"), base64(part, b"-_"), percent(part), json(part)]
            {
                if !self.forms.contains(&form) {
                    self.forms.push(form);
                }
            }
        }
        // The list is a handful of short strings: an automaton that is too large cannot come up.
        self.automaton =
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&self.forms).ok();
    }

    /// Where the first value in `text` ends.
    pub(super) fn first_end(&self, text: &[u8]) -> Option<usize> {
        self.automaton.as_ref()?.find(text).map(|found| found.end())
    }

    /// Every value in `text`.
    pub(super) fn find<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.automaton.iter().flat_map(move |automaton| {
            automaton.find_iter(text).map(|found| (found.start(), found.end()))
        })
    }

    /// Where in `text` its longest tail begins that is the start of a value.
    pub(super) fn partial(&self, text: &[u8]) -> Option<usize> {
        let longest = |form: &Vec<u8>| {
            let max = form.len().saturating_sub(1).min(text.len());
            (1..=max).rev().find(|&len| text.ends_with(&form[..len]))
        };
        self.forms.iter().filter_map(longest).max().map(|len| text.len() - len)
    }
}

/// Base 64 without padding, so that it is found whatever follows the value.
fn base64(bytes: &[u8], last_two: &[u8; 2]) -> Vec<u8> {
    let digit = |value: u8| match value {
        0..=25 => b'A' + value,
        26..=51 => b'a' + (value - 26),
        52..=61 => b'0' + (value - 52),
        62 => last_two[0],
        _ => last_two[1],
    };
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|nth| group.get(nth).copied().unwrap_or(0));
        let digits = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63].map(digit);
        out.extend_from_slice(&digits[..=group.len()]);
    }
    out
}

fn percent(bytes: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte);
        } else {
            out.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
    out
}

fn json(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_the_forms_programs_print() {
        let mut values = Values::default();
        values.add("pa/ss\"word?");
        for text in ["=pa/ss\"word?", "cGEvc3Mid29yZD8=", "pa%2Fss%22word%3F", "pa/ss\\\"word?"] {
            assert!(values.first_end(text.as_bytes()).is_some(), "{text}");
        }
    }

    #[test]
    fn short_values_are_left_alone() {
        let mut values = Values::default();
        values.add("root");
        assert_eq!(values.first_end(b"root"), None);
    }

    #[test]
    fn a_tail_that_may_become_a_value_is_known() {
        let mut values = Values::default();
        values.add("abcdefgh");
        assert_eq!(values.partial(b"x abc"), Some(2));
        assert_eq!(values.partial(b"x abd"), None);
    }
}
