//! The screen and its history as text.

use vt::{Size, TextScope};

use crate::{after, sized};

#[test]
fn wrapped_rows_are_one_line_in_full_text_and_rows_on_the_screen() {
    let terminal = sized(Size { cols: 10, rows: 4 }, b"0123456789abcdef\r\nnext\r\n");
    assert_eq!(terminal.text(TextScope::Full), "0123456789abcdef\nnext\n");
    assert_eq!(terminal.text(TextScope::Screen), "0123456789\nabcdef\nnext\n");
}

#[test]
fn history_comes_before_the_screen() {
    let mut terminal = sized(Size { cols: 10, rows: 3 }, b"");
    (0..6).for_each(|line| terminal.feed(format!("l{line}\r\n").as_bytes()));
    assert_eq!(terminal.text(TextScope::Full), "l0\nl1\nl2\nl3\nl4\nl5\n");
    assert_eq!(terminal.text(TextScope::Recent(1)), "l3\nl4\nl5\n");
    assert_eq!(terminal.text(TextScope::Screen), "l4\nl5\n");
}

#[test]
fn full_text_on_the_alternate_screen_is_that_of_the_main_one() {
    let terminal = after(b"shell\r\n\x1b[?1049hprogram");
    assert_eq!(terminal.text(TextScope::Full), "shell\n");
    assert_eq!(terminal.text(TextScope::Screen).trim(), "program");
}

#[test]
fn blank_lines_stay_between_text_and_go_at_the_end() {
    assert_eq!(after(b"\r\na  \r\n\r\nb\r\n\r\n").text(TextScope::Screen), "\na\n\nb\n");
    assert_eq!(after(b"\r\na  \r\n\r\nb\r\n\r\n").text(TextScope::Full), "\na\n\nb\n");
}

#[test]
fn memory_follows_what_is_written() {
    assert!(after(b"x").heap_bytes() < 8 * 1024);
    let mut terminal = after(b"");
    for line in 0..3000 {
        terminal.feed(format!("{line} {}\r\n", "\x1b[1mword\x1b[m ".repeat(20)).as_bytes());
    }
    assert_eq!(terminal.history_lines(), 2000);
    assert!(terminal.heap_bytes() < 1_500_000);
}
