//! What xterm.js and string-width said, recorded in `tests/fixtures/vt`.

use serde::Deserialize;
use vt::{Options, Size, Terminal, TextScope, width};

/// A random stream with resizes, and what xterm.js 6 shows after it.
#[derive(Deserialize)]
struct Case {
    size: (u16, u16),
    scrollback: usize,
    steps: Vec<Step>,
    lines: Vec<String>,
    cursor: (u16, u16),
    alt: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Step {
    Feed(String),
    Resize(u16, u16),
}

#[test]
fn random_streams_show_what_xterm_js_shows() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../../tests/fixtures/vt/xterm.json")).unwrap();
    for (number, case) in cases.iter().enumerate() {
        let (cols, rows) = case.size;
        let options = Options { scrollback_lines: case.scrollback };
        let mut terminal = Terminal::new(Size { cols, rows }, options);
        for step in &case.steps {
            match step {
                Step::Feed(text) => terminal.feed(text.as_bytes()),
                Step::Resize(cols, rows) => {
                    terminal.resize(Size { cols: *cols, rows: *rows });
                }
            }
        }
        let cursor = terminal.cursor();
        assert_eq!((cursor.x, cursor.y), case.cursor, "case {number}");
        assert_eq!(terminal.modes().alt_screen, case.alt, "case {number}");
        let lines: Vec<String> =
            terminal.text(TextScope::Rows).lines().map(str::to_owned).collect();
        assert_eq!(lines, case.lines, "case {number}");
    }
}

#[test]
fn texts_take_the_columns_that_string_width_counts() {
    for line in include_str!("../../../../tests/fixtures/vt/widths.tsv").lines() {
        let (count, text) = line.split_once('\t').unwrap();
        assert_eq!(width::columns(text), count.parse::<usize>().unwrap(), "{text:?}");
    }
}

#[test]
fn the_exported_tables_measure_as_the_crate_does() {
    let table = width::table();
    let class = |code: u32| table.runs[table.runs.partition_point(|run| run.0 <= code) - 1].1;
    let columns = |text: &str| {
        let mut before = 0_u8;
        let mut total = 0;
        for character in text.chars() {
            let at =
                usize::from(before >> 3) * table.classes + usize::from(class(character.into()));
            let step = table.steps[at];
            let joined = if step & 1 == 1 { before >> 1 & 3 } else { 0 };
            total += usize::from((step >> 1 & 3).saturating_sub(joined));
            before = step;
        }
        total
    };
    for text in ["plain", "世界 テスト", "👩‍💻🇯🇵⚠️1️⃣", "नमस्ते", "각"]
    {
        assert_eq!(columns(text), width::columns(text), "{text}");
    }
}
