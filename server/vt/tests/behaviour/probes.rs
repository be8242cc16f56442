//! One piece of state each: after a snapshot, the second half shows what the first half set.

use vt::Scope;

use crate::{after, rebuilt};

const PROBES: &[(&str, &str, &str)] = &[
    ("alternate screen", "main\r\n\x1b[?1049halt", "\x1b[?1049lX"),
    ("bracketed paste", "\x1b[?2004h", ""),
    ("mouse", "\x1b[?1003h\x1b[?1006h", ""),
    ("mouse in pixels", "\x1b[?1002h\x1b[?1016h", ""),
    ("application keys", "\x1b[?1h\x1b=", ""),
    ("focus", "\x1b[?1004h", ""),
    ("alternate scroll", "\x1b[?1007h", ""),
    ("theme reports", "\x1b[?2031h", ""),
    ("margins", "a\r\nb\r\nc\x1b[2;10r\x1b[10;1H", "\n\n\nZ"),
    ("origin", "\x1b[5;10r\x1b[?6h\x1b[2;2H", "\x1b[1;1HZ"),
    ("charset in G0", "\x1b(0", "lqqk"),
    ("charset shifted to", "\x1b)0\x0e", "lqqk"),
    ("charset of a restored cursor", "\x1b7\x1b(0\x1b8", "lqqk"),
    ("title", "\x1b]0;hello\x07", ""),
    ("working directory", "\x1b]7;file://host/a%20b\x07", ""),
    ("pending wrap", WIDTH_OF_X, "y"),
    ("pending wrap after a wide character", WIDTH_OF_X_AND_WIDE, "y"),
    ("saved cursor", "\x1b[5;5H\x1b[31m\x1b7\x1b[9;9H\x1b[0m", "\x1b8Q"),
    ("no wrap", "\x1b[?7l", WIDTH_OF_X),
    ("insert", "abc\x1b[4h\x1b[1;1H", "ZZ"),
    ("insert after a character", "abc\x1b[4h\x1b[1;1HX", "Z\u{301}"),
    ("tab stops", "\x1b[3g\x1b[1;6H\x1bH\r", "\tT"),
    ("keyboard", "\x1b[>1u\x1b[>7u", "\x1b[<u"),
    ("keyboard of both screens", "\x1b[>1u\x1b[?1049h\x1b[>5u", "\x1b[?1049l"),
    ("synchronized output", "abc\x1b[?2026hdef", ""),
    ("open link", "\x1b]8;;http://a/\x07link", "more\x1b]8;;\x07"),
    ("closed link", "\x1b]8;id=q;http://a/\x07link\x1b]8;;\x07 x", ""),
    ("hidden cursor", "\x1b[?25l", ""),
    ("cursor style", "\x1b[6 q", ""),
    ("pen", "\x1b[1;3;4:3;9;38;2;1;2;3;48;5;99;58:2::9:8:7m", "P"),
    ("pen with the rest of a color", "\x1b[38;2;1;2;3m\x1b[38;5;9m", "P\x1b[31mQ"),
    ("overline and blink", "\x1b[53;5mab\x1b[0m", ""),
    ("protection", "\x1b[1\"qA\x1b[0\"qB", "\x1b[?2K"),
    ("protection under the pen", "\x1b[31m\x1b[1\"q", "A\x1b[?2K"),
    ("reverse wrap", "\x1b[?45h", "\x08"),
    ("line feed mode", "\x1b[20h", "a\nb"),
    ("colors", "\x1b]4;1;rgb:11/22/33\x07\x1b]11;#102030\x07", "\x1b]4;1;?\x07\x1b]11;?\x07"),
    ("sequence cut in a parameter", "ab\x1b[3", "1mRED"),
    ("sequence cut in a subparameter", "ab\x1b[4:", "3mx"),
    ("sequence cut after its prefix", "ab\x1b[?", "2004h"),
    ("sequence with a line feed inside", "ab\x1b[3\n", "1mRED"),
    ("ignored sequence", "ab\x1b[1<", "mx"),
    ("escape cut", "ab\x1b", "[1mx"),
    ("designation cut", "ab\x1b(", "0lqk"),
    ("character cut", "ab\u{4e16}", "c"),
    ("string cut", "a\x1b]2;tit", "le\x07b"),
    ("string cut before its end", "a\x1b]2;title\x1b", "\\b"),
    ("request cut", "a\x1bP+q54", "4e\x1b\\b"),
    ("ignored string cut", "a\x1b_Gf=100;AAAA", "BBBB\x1b\\b"),
    ("repeat", "ab", "\x1b[3b"),
    ("erased with color", "\x1b[44m\x1b[2J\x1b[3;3Hx\x1b[K", ""),
    ("clusters", "👩‍💻x🇯🇵y👍🏽z⚠️w", ""),
    ("cluster cut before its joiner", "👩", "\u{200d}💻x"),
    ("cluster cut before its style", "⚠", "\u{fe0f}x"),
    ("flag cut in two", "🇯", "🇵x"),
    ("flags kept apart", "🇯\x1b[mx\x1b[2D\x1b[C🇵", "x"),
    ("mark after a sequence", "e\x1b[m\u{301}x", ""),
    ("prompt", "\x1b]133;A\x07$ ", ""),
];

const WIDTH_OF_X: &str = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
                          xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
const WIDTH_OF_X_AND_WIDE: &str = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
                                   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx世";

#[test]
fn a_snapshot_holds_every_piece_of_state() {
    assert_eq!((WIDTH_OF_X.len(), WIDTH_OF_X_AND_WIDE.chars().count()), (120, 119));
    for (name, set, show) in PROBES {
        let mut original = after(set.as_bytes());
        let mut viewer = rebuilt(&original);
        while original.poll_reply().is_some() {}
        original.feed(show.as_bytes());
        viewer.feed(show.as_bytes());
        let wanted = original.snapshot(Scope::Full);
        let got = viewer.snapshot(Scope::Full);
        assert_eq!(
            String::from_utf8_lossy(&got.bytes),
            String::from_utf8_lossy(&wanted.bytes),
            "{name}"
        );
        assert_eq!(viewer.modes(), original.modes(), "{name}");
        assert_eq!(viewer.cursor(), original.cursor(), "{name}");
        assert_eq!((viewer.title(), viewer.cwd()), (original.title(), original.cwd()), "{name}");
        assert_eq!(viewer.poll_reply(), original.poll_reply(), "{name}");
    }
}

#[test]
fn a_character_cut_in_the_middle_is_begun_at_the_end_of_a_snapshot() {
    let stream = "ab\u{4e16}c".as_bytes();
    for cut in 0..stream.len() {
        let mut viewer = rebuilt(&after(&stream[..cut]));
        viewer.feed(&stream[cut..]);
        assert_eq!(viewer.text(vt::TextScope::Screen), "ab世c\n");
    }
}

#[test]
fn a_string_too_long_to_repeat_is_ignored_to_its_end() {
    let mut original = after(b"before\x1b]52;c;");
    original.feed(&[b'A'; 40_000]);
    let snapshot = original.snapshot(Scope::Full);
    assert!(snapshot.bytes.len() < 1000);
    let mut viewer = after(&snapshot.bytes);
    viewer.feed(b"AAAA\x07 after");
    assert_eq!(viewer.text(vt::TextScope::Screen), "before after\n");
}

#[test]
fn a_screen_snapshot_leaves_history_out() {
    let mut terminal = after(b"");
    (0..200).for_each(|line| terminal.feed(format!("line {line}\r\n").as_bytes()));
    let screen = terminal.snapshot(Scope::Screen);
    let viewer = after(&screen.bytes);
    assert_eq!((screen.history_lines, viewer.history_lines()), (0, 0));
    assert_eq!(viewer.text(vt::TextScope::Screen), terminal.text(vt::TextScope::Screen));
    assert_eq!(viewer.cursor(), terminal.cursor());
}

#[test]
fn a_full_snapshot_keeps_the_newest_history_under_its_bound() {
    let mut terminal = after(b"");
    for line in 0..2100_u32 {
        let colors = (0..60).map(|x| format!("\x1b[38;2;{x};{};7m#", line % 256));
        terminal.feed(format!("{}\r\n", colors.collect::<String>()).as_bytes());
    }
    let snapshot = terminal.snapshot(Scope::Full);
    assert!(snapshot.bytes.len() < 512 * 1024);
    assert!(snapshot.bytes.len() > 450 * 1024);
    let viewer = after(&snapshot.bytes);
    assert_eq!(viewer.history_lines(), snapshot.history_lines);
    assert_eq!(viewer.snapshot(Scope::Screen).bytes, terminal.snapshot(Scope::Screen).bytes);
}

#[test]
fn the_largest_screen_with_a_color_a_cell_stays_under_8_mib() {
    let size = vt::Size { cols: 400, rows: 200 };
    let mut terminal = crate::sized(size, b"");
    for cell in 0..80_000_u32 {
        let [a, b, c, _] = cell.to_le_bytes();
        let text = format!("\x1b[1;3;4:3;38;2;{a};{b};{c};48;2;{c};{a};{b};58:2::{b}:{c}:{a}m#");
        terminal.feed(text.as_bytes());
    }
    let snapshot = terminal.snapshot(Scope::Full);
    assert!(snapshot.bytes.len() < 8 * 1024 * 1024);
    let viewer = crate::sized(size, &snapshot.bytes);
    assert_eq!(viewer.snapshot(Scope::Full).bytes, snapshot.bytes);
}

#[test]
fn modes_left_on_are_reset_and_the_text_stays() {
    let left = b"text\x1b[?1049h\x1b[>5u\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[4h\
                 \x1b[?7l\x1b[3;9r\x1b[?6h\x1b[31m\x1b(0\x1b[?2026h\x1b]8;;http://a/\x07x\x1b[3";
    let mut terminal = after(left);
    let reset = terminal.reset_modes();
    terminal.feed(&reset);
    assert_eq!(terminal.modes(), vt::Modes::default());
    terminal.feed(b" lq");
    assert_eq!(terminal.text(vt::TextScope::Screen), "text lq\n");
    assert_eq!(after(b"text").reset_modes(), b"");
}
