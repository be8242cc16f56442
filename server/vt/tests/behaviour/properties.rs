//! What holds for every input, every cut and every size.

use proptest::collection::vec;
use proptest::prelude::*;
use vt::{Options, Scope, Size, Terminal, TextScope};

/// Bytes of all kinds, the ones that mean something more often.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![
            any::<u8>(),
            0x20..0x7f_u8,
            proptest::sample::select(
                &b"\x1b[]P\\?;:0123456789m\xe4\xb8\x96\x18\x07\r\nHJKLMPX@ST"[..]
            )
        ],
        0..400,
    )
}

/// Text and sequences as programs write them. Wrapping stays on: what xterm.js makes of a cluster
/// that it left out at the edge cannot be told from the screen.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        "[a-z]{1,9} ?",
        proptest::sample::select(vec![
            "世界",
            "テスト",
            "👩‍💻",
            "🇯🇵",
            "⚠️",
            "é",
            "नमस्ते",
            "\r\n",
            "\r\n",
            "\t",
            "\x08"
        ])
        .prop_map(str::to_owned),
    ];
    let number = 0..40_u16;
    let sequence = prop_oneof![
        (number.clone(), number.clone()).prop_map(|(y, x)| format!("\x1b[{y};{x}H")),
        (number.clone(), "[ABCDEFGJKLMPSTXdem]").prop_map(|(n, last)| format!("\x1b[{n}{last}")),
        (0..256_u16, 0..256_u16).prop_map(|(a, b)| format!("\x1b[38;5;{a};48;2;{b};{a};9m")),
        (number.clone(), number).prop_map(|(top, bottom)| format!("\x1b[{top};{bottom}r")),
        proptest::sample::select(vec![
            "\x1b[m",
            "\x1b[1;4m",
            "\x1b7",
            "\x1b8",
            "\x1bM",
            "\x1b[?1049h",
            "\x1b[?1049l",
            "\x1b[4h",
            "\x1b[4l",
            "\x1b(0",
            "\x1b(B",
            "\x1b]8;;http://a/\x07",
            "\x1b]8;;\x07",
            "\x1b]0;title\x1b\\",
            "\x1b[>5u",
            "\x1b[<u",
            "\x1b[?2026h",
            "\x1b[?2004h",
            "\x1b[3b",
            "\x1b[!p",
        ])
        .prop_map(str::to_owned),
    ];
    vec(prop_oneof![3 => text, 2 => sequence], 0..60).prop_map(|parts| parts.concat().into_bytes())
}

fn size() -> impl Strategy<Value = Size> {
    (1..40_u16, 1..14_u16).prop_map(|(cols, rows)| Size { cols, rows })
}

fn terminal(size: Size) -> Terminal {
    Terminal::new(size, Options { scrollback_lines: 20 })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_input_and_no_size_panics(parts in vec((noise(), size()), 1..6)) {
        let mut terminal = terminal(Size { cols: 20, rows: 5 });
        for (bytes, size) in parts {
            terminal.feed(&bytes);
            terminal.resize(size);
            let snapshot = terminal.snapshot(Scope::Full);
            let mut viewer = self::terminal(snapshot.size);
            viewer.feed(&snapshot.bytes);
            prop_assert_eq!(viewer.cursor().y, terminal.cursor().y);
            prop_assert!(terminal.text(TextScope::Full).len() < 100_000);
        }
    }

    #[test]
    fn every_cut_of_the_input_gives_the_same(bytes in prop_oneof![noise(), stream()], at in 0..400_usize) {
        let mut whole = terminal(Size { cols: 20, rows: 5 });
        whole.feed(&bytes);
        let mut single = terminal(Size { cols: 20, rows: 5 });
        bytes.iter().for_each(|byte| single.feed(&[*byte]));
        let mut halves = terminal(Size { cols: 20, rows: 5 });
        let (first, second) = bytes.split_at(at.min(bytes.len()));
        halves.feed(first);
        halves.feed(second);
        for other in [&mut single, &mut halves] {
            prop_assert_eq!(other.snapshot(Scope::Full), whole.snapshot(Scope::Full));
        }
        while let Some(reply) = whole.poll_reply() {
            prop_assert_eq!(single.poll_reply(), Some(reply));
        }
    }

    #[test]
    fn a_viewer_that_joins_anywhere_sees_the_same(bytes in stream(), at in 0..600_usize) {
        let size = Size { cols: 24, rows: 6 };
        let mut whole = terminal(size);
        let (before, later) = bytes.split_at(at.min(bytes.len()));
        whole.feed(before);
        let mut viewer = terminal(size);
        viewer.feed(&whole.snapshot(Scope::Full).bytes);
        whole.feed(later);
        viewer.feed(later);
        prop_assert_eq!(viewer.text(TextScope::Screen), whole.text(TextScope::Screen));
        prop_assert_eq!(viewer.cursor(), whole.cursor());
        prop_assert_eq!(viewer.modes(), whole.modes());
        prop_assert_eq!(viewer.history_lines(), whole.history_lines());
    }

    // A blank the cursor has to be printed past becomes a space, so not the first but every
    // further snapshot is the same to the byte.
    #[test]
    fn a_rebuilt_terminal_has_the_same_snapshot_forever(bytes in stream()) {
        let size = Size { cols: 24, rows: 6 };
        let mut terminal = terminal(size);
        terminal.feed(&bytes);
        let mut rounds = (0..3).map(|_| {
            let snapshot = terminal.snapshot(Scope::Full).bytes;
            terminal = self::terminal(size);
            terminal.feed(&snapshot);
            (terminal.text(TextScope::Full), snapshot)
        });
        let (first, second, third) = (rounds.next(), rounds.next(), rounds.next());
        prop_assert_eq!(first.map(|round| round.0), second.as_ref().map(|round| round.0.clone()));
        let text = |round: Option<(String, Vec<u8>)>| {
            round.map(|round| String::from_utf8_lossy(&round.1).into_owned())
        };
        prop_assert_eq!(text(second), text(third));
    }
}

#[test]
fn bombs_cost_nothing() {
    let mut terminal = crate::sized(Size { cols: 400, rows: 200 }, b"x");
    for last in "STLMPX@ABCDEFGIZabde`".chars() {
        let bomb = format!("\x1b[2147483647{last}x");
        (0..500).for_each(|_| terminal.feed(bomb.as_bytes()));
    }
    terminal.feed(&b"\x1b[>1u".repeat(100_000));
    assert_eq!(terminal.modes().kitty, 1);
    terminal.feed("e".as_bytes());
    terminal.feed("\u{301}".repeat(100_000).as_bytes());
    assert!(terminal.snapshot(Scope::Full).bytes.len() < 1024 * 1024);
}

#[test]
fn links_without_end_are_bounded() {
    let mut terminal = crate::after(b"");
    for link in 0..200_000 {
        terminal.feed(format!("\x1b]8;;http://example.org/{link}\x07x").as_bytes());
    }
    terminal.feed(b"\x1b]8;;\x07\x1b[2J\x1b[3J\x1b[H");
    (0..5000).for_each(|link| {
        terminal.feed(format!("\x1b]8;;http://b/{link}\x07y\x1b]8;;\x07\r").as_bytes())
    });
    let bytes = terminal.snapshot(Scope::Full).bytes;
    assert!(String::from_utf8_lossy(&bytes).contains("http://b/4999"));
}
