//! Secrets that name themselves: a fixed prefix, then characters of one class.
//!
//! The prefixes, and the words the contextual rules turn on, are one Aho-Corasick automaton, so
//! text without any of them is passed over at the speed of one table step a byte.

mod kinds;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use kinds::{ANCHORS, is_word};
pub(super) use kinds::{Anchor, Class, Shape};

/// What the contextual rules turn on, in any case. A word without one of these, in a line with
/// none before it, is never masked.
const WORDS: &[&str] = &[
    "secret",
    "token",
    "passw",
    "passphrase",
    "credential",
    "auth",
    "api key",
    "api_key",
    "api-key",
    "apikey",
    "api.key",
    "access key",
    "access_key",
    "access-key",
    "accesskey",
    "private key",
    "private_key",
    "private-key",
    "privatekey",
    "signing_key",
    "signingkey",
    "encryption_key",
    "encryptionkey",
    "account_key",
    "accountkey",
    "_pass=",
    "bearer",
    "basic",
    "cookie",
    "session",
    "sid=",
    "sess=",
    "glasshouse_",
    "://",
    "ticket=",
    "key=",
    "sig=",
    "signature=",
    "code=",
    "hooks.slack.com",
    "/signin#",
    "block-----",
];

/// Longest entry of the automaton: how far back a match can begin.
pub(super) const TRIGGER_BYTES_MAX: usize = 16;

/// A word of the automaton, found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    /// Where it begins in the text searched.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// The family it begins, or `None` for a word of context.
    pub(super) anchor: Option<&'static Anchor>,
}

static AUTOMATON: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let patterns = ANCHORS.iter().map(|anchor| anchor.prefix).chain(WORDS.iter().copied());
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(patterns)
        .expect("a fixed list of short words makes a small automaton")
});

/// Where the first trigger ends that ends after `from`.
pub(super) fn first_end(view: &[u8], from: usize) -> Option<usize> {
    let back = from.saturating_sub(TRIGGER_BYTES_MAX);
    let near = (from + TRIGGER_BYTES_MAX).min(view.len());
    // Only the first few bytes can complete a word that begins before `from`.
    hits(view.get(back..near).unwrap_or_default())
        .map(|hit| back + hit.end)
        .find(|&end| end > from)
        .or_else(|| AUTOMATON.find(view.get(from..)?).map(|found| from + found.end()))
}

/// Where the first trigger in `text` ends, one that begins in `before` it included.
pub(super) fn first_end_over(before: &[u8], text: &[u8]) -> Option<usize> {
    let back = before.len().saturating_sub(TRIGGER_BYTES_MAX);
    let mut seam = before.get(back..).unwrap_or_default().to_vec();
    let known = seam.len();
    seam.extend(text.iter().take(TRIGGER_BYTES_MAX));
    hits(&seam)
        .find(|hit| hit.end > known)
        .map(|hit| hit.end - known)
        .or_else(|| AUTOMATON.find(text).map(|found| found.end()))
}

/// Whether `text` holds nothing any rule could turn on.
pub(super) fn is_plain(text: &[u8]) -> bool {
    !AUTOMATON.is_match(text)
}

/// Every trigger that ends in `start..end` of the view.
pub(super) fn hits_within(view: &[u8], start: usize, end: usize) -> Vec<Hit> {
    let back = start.saturating_sub(TRIGGER_BYTES_MAX);
    hits(view.get(back..end).unwrap_or_default())
        .map(|hit| Hit { start: back + hit.start, end: back + hit.end, ..hit })
        .filter(|hit| hit.end > start)
        .collect()
}

/// Every trigger in `text`, overlapping ones too, by where they end.
fn hits(text: &[u8]) -> impl Iterator<Item = Hit> + '_ {
    AUTOMATON.find_overlapping_iter(text).map(|found| Hit {
        start: found.start(),
        end: found.end(),
        anchor: ANCHORS.get(found.pattern().as_usize()),
    })
}

/// Whether a token may begin at `at`: no word character before it, unless that is the letter of
/// an escape (`\n`) or the digit of a percent code.
pub(super) fn begins_word(view: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|i| view.get(i)).copied();
    match before(1) {
        None => true,
        Some(byte) if !is_word(byte) => true,
        Some(b'n' | b'r' | b't') if before(2) == Some(b'\\') => true,
        Some(byte) => {
            byte.is_ascii_hexdigit()
                && before(2).is_some_and(|b| b.is_ascii_hexdigit())
                && before(3) == Some(b'%')
        }
    }
}

/// Whether `tail` could be the start of a prefix whose rest is still to come.
pub(super) fn is_prefix_start(tail: &[u8]) -> bool {
    !tail.is_empty()
        && ANCHORS.iter().any(|anchor| {
            let prefix = anchor.prefix.as_bytes();
            anchor.shape != Shape::AfterNumber
                && tail.len() < prefix.len()
                && prefix.starts_with(tail)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trigger_is_longer_than_the_look_back() {
        let longest = ANCHORS.iter().map(|a| a.prefix.len()).chain(WORDS.iter().map(|w| w.len()));
        assert_eq!(longest.max(), Some(TRIGGER_BYTES_MAX));
    }

    #[test]
    fn a_whole_tag_fits_into_the_shortest_token_of_its_family() {
        for anchor in ANCHORS {
            let cells = anchor.prefix.len() + anchor.min;
            assert!(anchor.tag.len() <= cells + 4, "{}: {}", anchor.prefix, anchor.tag);
        }
    }

    #[test]
    fn a_token_begins_after_an_escaped_line_break_and_not_inside_a_word() {
        assert!(begins_word(br"a\nsk-", 3));
        assert!(begins_word(b"k%3Dsk-", 4));
        assert!(!begins_word(b"task-", 2));
    }
}
