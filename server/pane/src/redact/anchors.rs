//! Secrets that name themselves: a fixed prefix, then characters of one class.
//!
//! The prefixes, and the words the contextual rules turn on, are one Aho-Corasick automaton, so
//! text without any of them is passed over at the speed of one table step a byte. The shapes
//! follow gitleaks' published rules with lower minimum lengths: masking too much is cheap.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// The characters a token goes on with after its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Letters and digits.
    Alnum,
    /// Hexadecimal digits.
    Hex,
    /// Base 32 in capitals, as AWS uses it.
    Base32,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Those and dots.
    Dotted,
    /// Both alphabets of base 64.
    Base64,
}

impl Class {
    /// Whether `byte` is of the class.
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Base32 => byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte),
            Self::Word => is_word(byte),
            Self::Dotted => is_word(byte) || byte == b'.',
            Self::Base64 => is_word(byte) || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// A family of tokens.
#[derive(Debug)]
pub(super) struct Anchor {
    /// The prefix, in its exact case.
    pub(super) prefix: &'static str,
    /// `[redacted:KIND]`.
    pub(super) tag: &'static str,
    /// What follows the prefix.
    pub(super) class: Class,
    /// Fewest characters after the prefix.
    pub(super) min: usize,
    /// What else must hold of the characters after the prefix.
    pub(super) shape: Shape,
}

/// What a token must look like beyond its class and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing more.
    Run,
    /// No letter or digit may follow: the length is part of the shape.
    Bounded,
    /// Three parts, the second of which begins with `eyJ` too.
    Jwt,
    /// Two parts.
    TwoParts,
    /// A number of 8 to 10 digits stands before the prefix and belongs to it.
    AfterNumber,
}

const fn run(prefix: &'static str, tag: &'static str, class: Class, min: usize) -> Anchor {
    Anchor { prefix, tag, class, min, shape: Shape::Run }
}

const fn shaped(
    prefix: &'static str,
    tag: &'static str,
    class: Class,
    min: usize,
    shape: Shape,
) -> Anchor {
    Anchor { prefix, tag, class, min, shape }
}

const ANTHROPIC: &str = "[redacted:anthropic]";
const OPENAI: &str = "[redacted:openai]";
const GOOGLE_OAUTH: &str = "[redacted:google-oauth]";
const GITHUB: &str = "[redacted:github]";
const GITLAB: &str = "[redacted:gitlab]";
const SLACK: &str = "[redacted:slack]";
const AWS: &str = "[redacted:aws]";
const STRIPE: &str = "[redacted:stripe]";
const DIGITALOCEAN: &str = "[redacted:digitalocean]";
const VAULT: &str = "[redacted:vault]";
const DOCKER: &str = "[redacted:docker]";
const LINEAR: &str = "[redacted:linear]";
const OWN: &str = "[redacted:glasshouse]";

/// Every family. Of several that begin at one place the longest prefix is tried first.
pub(super) const ANCHORS: &[Anchor] = &[
    run("sk-ant-", ANTHROPIC, Class::Word, 24),
    run("sk-proj-", OPENAI, Class::Word, 20),
    run("sk-svcacct-", OPENAI, Class::Word, 20),
    run("sk-admin-", OPENAI, Class::Word, 20),
    run("sk-service-", OPENAI, Class::Word, 20),
    run("sk-or-v1-", "[redacted:openrouter]", Class::Hex, 32),
    run("sk-", "[redacted:sk-key]", Class::Alnum, 20),
    run("AIza", "[redacted:google]", Class::Word, 35),
    run("ya29.", GOOGLE_OAUTH, Class::Dotted, 20),
    run("GOCSPX-", GOOGLE_OAUTH, Class::Word, 20),
    run("ghp_", GITHUB, Class::Alnum, 36),
    run("gho_", GITHUB, Class::Alnum, 36),
    run("ghu_", GITHUB, Class::Alnum, 36),
    run("ghs_", GITHUB, Class::Word, 36),
    run("ghr_", GITHUB, Class::Alnum, 36),
    run("github_pat_", GITHUB, Class::Word, 22),
    run("glpat-", GITLAB, Class::Dotted, 20),
    run("gldt-", GITLAB, Class::Dotted, 20),
    run("glrt-", GITLAB, Class::Dotted, 20),
    run("glcbt-", GITLAB, Class::Dotted, 20),
    run("glptt-", GITLAB, Class::Dotted, 20),
    run("glft-", GITLAB, Class::Dotted, 20),
    run("glsoat-", GITLAB, Class::Dotted, 20),
    run("glimt-", GITLAB, Class::Dotted, 20),
    run("glagent-", GITLAB, Class::Dotted, 20),
    run("gloas-", GITLAB, Class::Dotted, 20),
    run("glffct-", GITLAB, Class::Dotted, 20),
    run("xoxa-", SLACK, Class::Word, 20),
    run("xoxb-", SLACK, Class::Word, 20),
    run("xoxe-", SLACK, Class::Word, 20),
    run("xoxe.xoxp-", SLACK, Class::Word, 20),
    run("xoxe.xoxb-", SLACK, Class::Word, 20),
    run("xoxo-", SLACK, Class::Word, 20),
    run("xoxp-", SLACK, Class::Word, 20),
    run("xoxr-", SLACK, Class::Word, 20),
    run("xoxs-", SLACK, Class::Word, 20),
    run("xapp-", SLACK, Class::Word, 20),
    shaped("AKIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ASIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ABIA", AWS, Class::Base32, 16, Shape::Bounded),
    shaped("ACCA", AWS, Class::Base32, 16, Shape::Bounded),
    run("ABSK", AWS, Class::Base64, 60),
    run("sk_live_", STRIPE, Class::Alnum, 12),
    run("sk_test_", STRIPE, Class::Alnum, 12),
    run("sk_prod_", STRIPE, Class::Alnum, 12),
    run("rk_live_", STRIPE, Class::Alnum, 12),
    run("rk_test_", STRIPE, Class::Alnum, 12),
    run("rk_prod_", STRIPE, Class::Alnum, 12),
    run("whsec_", STRIPE, Class::Base64, 20),
    run("npm_", "[redacted:npm]", Class::Alnum, 36),
    run("pypi-AgE", "[redacted:pypi]", Class::Word, 40),
    run("hf_", "[redacted:hf]", Class::Alnum, 34),
    run("gsk_", "[redacted:groq]", Class::Alnum, 40),
    run("xai-", "[redacted:xai]", Class::Word, 40),
    run("pplx-", "[redacted:perplexity]", Class::Word, 40),
    shaped("SG.", "[redacted:sendgrid]", Class::Dotted, 40, Shape::TwoParts),
    run("dop_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("doo_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("dor_v1_", DIGITALOCEAN, Class::Hex, 40),
    run("hvs.", VAULT, Class::Word, 24),
    run("hvb.", VAULT, Class::Word, 24),
    run("hvr.", VAULT, Class::Word, 24),
    run("dckr_pat_", DOCKER, Class::Word, 20),
    run("dckr_oat_", DOCKER, Class::Word, 20),
    run("lin_api_", LINEAR, Class::Alnum, 32),
    run("lin_oauth_", LINEAR, Class::Alnum, 32),
    shaped("dapi", "[redacted:databricks]", Class::Hex, 32, Shape::Bounded),
    run("tskey-", "[redacted:tailscale]", Class::Word, 20),
    run("AGE-SECRET-KEY-1", "[redacted:age]", Class::Alnum, 50),
    shaped(":AA", "[redacted:telegram]", Class::Word, 32, Shape::AfterNumber),
    shaped("eyJ", "[redacted:jwt]", Class::Dotted, 24, Shape::Jwt),
    run("ght_", OWN, Class::Word, 20),
];

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

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
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
