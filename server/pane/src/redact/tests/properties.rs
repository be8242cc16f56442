//! What holds for any output, however it is cut and whenever it pauses.

use std::ops::Range;

use proptest::{collection::vec, prelude::*, sample::select};

use crate::redact::{HOLD_BYTES_MAX, Redactor, State, cells, text};

const COLS: u16 = 40;

/// Whole secrets, each found without help from what is around it.
const SECRETS: &[&str] = &[
    "sk-ant-api03-FAKE0fake1NotReal2Synthetic3Example4FAKE0fake1NotReal2SynAA",
    "sk-proj-FAKE0fake1NotReal2Synthetic3Example4FAKE0fake1",
    "ghp_FAKE0fake1NotReal2Synthetic3Example4",
    "glpat-FAKE0fake1NotReal2Sy",
    "AKIAFAKEFAKE2345NQTR",
    "xoxb-123456789012-1234567890123-FAKE0fake1NotReal2Synthe",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmYWtlIn0.FAKE0fake1NotReal2",
];

/// Text around secrets; what ends inside a name or a value is deliberate.
const TEXT: &[&str] = &[
    " ",
    "\r\n",
    "\n",
    "\t",
    "\"",
    "'",
    "=",
    ": ",
    ",",
    "|",
    "│ ",
    "sk-",
    "gh",
    "eyJ",
    "token",
    "password=",
    "API key: ",
    "Authorization: Bearer ",
    "Cookie: ",
    "Set-Cookie: sid=",
    "https://",
    "a:b1c2d3e4@host/",
    "?token=",
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEFAKEFAKEnotARealKey01",
    "-----END RSA PRIVATE KEY-----",
    "秘密",
    "é",
    "👩‍💻",
    "word",
    "x y z",
    "hunter2FAKE99",
    "--token ",
    "[redacted:openai]****",
    "***",
    "${VAR}",
    "some.field",
    "12345",
    "\\n",
    "\\\"",
];

/// Sequences, each whole.
const ESCAPES: &[&str] = &[
    "\x1b[31m",
    "\x1b[0m",
    "\x1b[?25l",
    "\x1b[K",
    "\x1b[5;10H",
    "\x1b[3C",
    "\x1b[12G",
    "\x1b(B",
    "\x1b]0;title\x07",
    "\x1b]8;;https://x.example/\x1b\\",
    "\x07",
    "\0",
    "\x08",
    "\u{9b}1m",
    "\x1bPq#0\x1b\\",
    "\x1b]52;c;c2VjcmV0\x07",
    "\x1b]0;ghp_FAKE0fake1NotReal2Synthetic3Example4\x07",
];

fn output() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => select(TEXT).prop_map(str::to_owned),
        3 => select(SECRETS).prop_map(str::to_owned),
        3 => select(ESCAPES).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9_.:=/&?@;,-]{1,12}",
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// The same in words, as programs print them: what is glued to a masked secret may read as
/// something else than it did.
fn words() -> impl Strategy<Value = String> {
    let space = select(&[" ", " ", "\r\n", "\x1b[31m ", "\t"][..]);
    vec((prop_oneof![select(TEXT), select(SECRETS), select(ESCAPES)], space), 0..24)
        .prop_map(|parts| parts.iter().flat_map(|(piece, space)| [*piece, *space]).collect())
}

/// Output made of whole secrets with something between any two, painted over and wrapped.
fn secrets_between_words() -> impl Strategy<Value = String> {
    let between = select(&[" ", "\r\n", " \"", "\" ", ", ", "= ", "\x1b[5;1H", "\t"][..]);
    let word = select(&["", "word ", "TOKEN=", "Bearer ", "秘密 "][..]);
    vec((between, word, select(SECRETS), any::<bool>()), 1..6).prop_map(|parts| {
        let mut out = String::from("$ ");
        for (between, word, secret, painted) in parts {
            out.push_str(word);
            let (head, tail) = secret.split_at(11);
            out.push_str(head);
            out.push_str(if painted { "\x1b[31m" } else { "" });
            out.push_str(tail);
            out.push_str(between);
        }
        out
    })
}

fn cuts(len: usize, cuts: &[prop::sample::Index]) -> Vec<Range<usize>> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    at.extend([0, len]);
    at.sort_unstable();
    at.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn redact(raw: &[u8]) -> Vec<u8> {
    let mut redactor = Redactor::new(COLS);
    let mut out = Vec::new();
    redactor.feed(raw, &mut out);
    redactor.finish(&mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_cut_gives_the_same(raw in output(), at in vec(any::<prop::sample::Index>(), 0..6)) {
        let raw = raw.as_bytes();
        let mut redactor = Redactor::new(COLS);
        let mut out = Vec::new();
        for cut in cuts(raw.len(), &at) {
            redactor.feed(&raw[cut], &mut out);
            prop_assert!(redactor.held_bytes() <= HOLD_BYTES_MAX);
        }
        redactor.finish(&mut out);
        prop_assert_eq!(shown(&out), shown(&redact(raw)));
    }

    #[test]
    fn byte_by_byte_gives_the_same_and_what_is_released_tiles(raw in output()) {
        let raw = raw.as_bytes();
        let mut redactor = Redactor::new(COLS);
        let mut out = Vec::new();
        for fed in 1..=raw.len() {
            redactor.feed(&raw[fed - 1..fed], &mut out);
            // Reading both sides again after every byte would be most of the test.
            if fed % 7 == 0 {
                let to = fed - redactor.held_bytes();
                prop_assert_eq!(outline(&raw[..to]), outline(&out), "{} of {:?}", to, shown(raw));
            }
        }
        redactor.finish(&mut out);
        prop_assert_eq!(redactor.held_bytes(), 0);
        prop_assert_eq!(shown(&out), shown(&redact(raw)));
    }

    #[test]
    fn redacting_twice_changes_nothing_more(raw in words()) {
        let once = redact(raw.as_bytes());
        prop_assert_eq!(shown(&redact(&once)), shown(&once), "of {:?}", raw);
    }

    #[test]
    fn width_and_sequences_stay(raw in output()) {
        prop_assert_eq!(outline(raw.as_bytes()), outline(&redact(raw.as_bytes())));
    }

    #[test]
    fn any_bytes_at_all_are_taken(raw in vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>()) {
        let mut redactor = Redactor::new(COLS);
        let mut out = Vec::new();
        let (head, tail) = raw.split_at(at.index(raw.len() + 1));
        redactor.feed(head, &mut out);
        redactor.feed(tail, &mut out);
        redactor.finish(&mut out);
        prop_assert_eq!(shown(&out), shown(&redact(&raw)));
        prop_assert!(std::str::from_utf8(&out).is_ok());
    }

    #[test]
    fn no_secret_is_in_the_output(raw in secrets_between_words()) {
        let out = visible(&redact(raw.as_bytes()));
        for secret in SECRETS {
            prop_assert!(!out.contains(secret), "{}", out);
        }
    }

    #[test]
    fn a_deadline_lets_no_part_of_a_secret_go(
        raw in secrets_between_words(),
        at in vec(any::<prop::sample::Index>(), 1..5),
    ) {
        let raw = raw.as_bytes();
        let mut redactor = Redactor::new(COLS);
        let mut out = Vec::new();
        for cut in cuts(raw.len(), &at) {
            redactor.feed(&raw[cut], &mut out);
            redactor.on_deadline(&mut out);
        }
        redactor.finish(&mut out);
        let out_text = visible(&out);
        for secret in SECRETS {
            // The prefix and up to seven characters after it are not yet a secret.
            let body = &secret.as_bytes()[14..];
            for part in body.windows(10) {
                let part = std::str::from_utf8(part).unwrap();
                prop_assert!(!out_text.contains(part), "{} in {}", part, out_text);
            }
        }
        prop_assert_eq!(outline(raw), outline(&out));
    }

    #[test]
    fn a_fresh_start_at_any_release_masks_no_less(raw in output(), at in any::<prop::sample::Index>()) {
        let raw = raw.as_bytes();
        let mut first = Redactor::new(COLS);
        let mut out = Vec::new();
        let fed = at.index(raw.len() + 1);
        first.feed(&raw[..fed], &mut out);
        let durable = fed - first.held_bytes();
        let state = State::from_byte(first.state().byte());
        let mut second = Redactor::resume(state, COLS);
        second.catch_up(&raw[..durable]);
        prop_assert_eq!(second.held_bytes(), 0);
        second.feed(&raw[durable..], &mut out);
        second.finish(&mut out);
        let whole = redact(raw);
        prop_assert_eq!(outline(&out), outline(&whole), "durable {}", durable);
        let less = masked_cells(&whole).iter().zip(masked_cells(&out)).any(|(&was, is)| was && !is);
        prop_assert!(!less, "durable {}: {} of {}", durable, shown(&out), shown(&whole));
    }

    #[test]
    fn known_values_are_found_wherever_they_stand(
        before in output(),
        after in output(),
        at in vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let value = "Qz7+plain/Value-not-shaped";
        let raw = format!("{before} {value} {after}").into_bytes();
        let mut redactor = Redactor::new(COLS);
        redactor.add_value(value);
        let mut out = Vec::new();
        for cut in cuts(raw.len(), &at) {
            redactor.feed(&raw[cut], &mut out);
            redactor.on_deadline(&mut out);
        }
        redactor.finish(&mut out);
        let out = visible(&out);
        for part in value.as_bytes().windows(12) {
            prop_assert!(!out.contains(std::str::from_utf8(part).unwrap()), "{}", out);
        }
    }
}

#[test]
fn a_word_without_end_is_released_but_for_its_tail() {
    let mut redactor = Redactor::new(COLS);
    let mut out = Vec::new();
    for _ in 0..100 {
        redactor.feed(&[b'x'; 1000], &mut out);
        assert!(redactor.held_bytes() <= 8 * 1024);
    }
}

#[test]
fn a_clipboard_without_end_is_dropped_and_holds_nothing() {
    let mut redactor = Redactor::new(COLS);
    let mut out = Vec::new();
    redactor.feed(b"gh\x1b]52;c;", &mut out);
    for _ in 0..200 {
        redactor.feed(&[b'A'; 1000], &mut out);
        assert!(redactor.held_bytes() <= HOLD_BYTES_MAX);
    }
    redactor.feed(b"\x07p_ done\r\n", &mut out);
    assert_eq!(shown(&out), "ghp_ done\\r\\n");
    assert_eq!(redactor.held_bytes(), 0);
}

#[test]
fn a_start_inside_a_clipboard_drops_its_rest() {
    let mut redactor = Redactor::new(COLS);
    let mut out = Vec::new();
    redactor.feed(b"\x1b]52;c;AAAA", &mut out);
    let mut second = Redactor::resume(redactor.state(), COLS);
    second.feed(b"AAAA\x07$ ", &mut out);
    assert_eq!(shown(&out), "$ ");
}

#[test]
fn after_a_gap_key_material_is_masked_until_another_line() {
    let mut redactor = Redactor::new(COLS);
    let mut out = Vec::new();
    redactor.feed(b"a line\r\n", &mut out);
    redactor.on_gap(&mut out);
    redactor.feed(b"MIIEFAKEFAKEnotARealKey01\r\nFAKE==\r\n", &mut out);
    redactor.feed(b"$ MIIEFAKEFAKEnotARealKey01\r\n", &mut out);
    let expected = format!("a line\\r\\n{}\\r\\n******\\r\\n", "*".repeat(25));
    assert_eq!(shown(&out), expected + "$ MIIEFAKEFAKEnotARealKey01\\r\\n");
}

#[test]
fn a_title_is_redacted_as_a_text_of_its_own() {
    assert_eq!(text("vim token=hunter2FAKE99"), "vim token=*************");
    assert_eq!(text("~/src/token.rs"), "~/src/token.rs");
}

/// Bytes as a reader of a failed test can compare them.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().to_string()
}

/// What of `bytes` takes cells, without any sequence.
fn visible(bytes: &[u8]) -> String {
    split(bytes).0
}

/// For each cell of the text whether a mask covers it, told by what masks look like.
fn masked_cells(bytes: &[u8]) -> Vec<bool> {
    let text = visible(bytes);
    let mut cells = Vec::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let tag = rest.strip_prefix("[redacted:").map_or(0, |kind| {
            let name = kind.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            let name = name.unwrap_or(kind.len());
            10 + name + usize::from(kind.as_bytes().get(name) == Some(&b']'))
        });
        let len = tag.max(c.len_utf8());
        let width = if tag > 0 { tag } else { cells::width(c) };
        cells.extend(std::iter::repeat_n(tag > 0 || c == '*', width));
        rest = rest.get(len..).unwrap_or_default();
    }
    cells
}

/// What redaction keeps: the cells a text takes, and every sequence but OSC 52 in its place.
fn outline(bytes: &[u8]) -> (usize, Vec<String>) {
    let (text, sequences) = split(bytes);
    (text.chars().map(cells::width).sum(), sequences)
}

/// A plain reading of whole sequences, written apart from the scanner it checks.
fn split(bytes: &[u8]) -> (String, Vec<String>) {
    let text = String::from_utf8_lossy(bytes);
    let mut visible = String::new();
    let mut sequences = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut sequence = String::from(c);
        match c {
            '\x1b' => {
                let kind = chars.next().unwrap_or(' ');
                sequence.push(kind);
                let string = matches!(kind, ']' | 'P');
                while let Some(&next) = chars.peek() {
                    let done = match kind {
                        '[' => ('\x40'..='\x7e').contains(&next),
                        '(' => true,
                        _ if string => next == '\x07' || sequence.ends_with('\x1b'),
                        _ => break,
                    };
                    sequence.push(next);
                    chars.next();
                    if done {
                        break;
                    }
                }
                if sequence.starts_with("\x1b]52") {
                    continue;
                }
                // The payload is a text of its own; only its length must stay.
                if string {
                    sequence = format!("{kind}{}", sequence.chars().count());
                }
            }
            '\u{9b}' => {
                for next in chars.by_ref() {
                    sequence.push(next);
                    if ('\x40'..='\x7e').contains(&next) {
                        break;
                    }
                }
            }
            c if c.is_control() => {}
            c => {
                visible.push(c);
                continue;
            }
        }
        sequences.push(format!("{} {sequence}", visible.chars().map(cells::width).sum::<usize>()));
    }
    (visible, sequences)
}
