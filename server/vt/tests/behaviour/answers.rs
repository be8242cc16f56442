//! Queries, and what a program reads back.

use vt::{CellSize, Event, Rgb, Theme};

use crate::after;

fn answers(stream: &str) -> String {
    let mut terminal = after(b"");
    terminal.set_cell_size(CellSize { width: 9, height: 18 });
    terminal.feed(stream.as_bytes());
    let mut all = Vec::new();
    while let Some(reply) = terminal.poll_reply() {
        all.extend(reply);
    }
    String::from_utf8(all).unwrap()
}

#[test]
fn every_query_gets_its_answer() {
    for (query, answer) in [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[0c", "\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>0;276;0c"),
        ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("\x1b[>q", "\x1bP>|glasshouse(0.0.0)\x1b\\"),
        ("\x1b[5n", "\x1b[0n"),
        ("ab\r\ncd\x1b[6n", "\x1b[2;3R"),
        ("ab\x1b[?6n", "\x1b[?1;3R"),
        ("\x1b[1;200H\x1b[6n", "\x1b[1;120R"),
        ("\x1b[5;9r\x1b[?6h\x1b[2;1H\x1b[6n", "\x1b[2;1R"),
        ("\x1b[?2026$p", "\x1b[?2026;2$y"),
        ("\x1b[?2026h\x1b[?2026$p", "\x1b[?2026;1$y"),
        ("\x1b[?2027$p", "\x1b[?2027;3$y"),
        ("\x1b[?7$p\x1b[?12345$p", "\x1b[?7;1$y\x1b[?12345;0$y"),
        ("\x1b[4$p", "\x1b[4;2$y"),
        ("\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"),
        ("\x1b[1;38;5;9m\x1bP$qm\x1b\\", "\x1bP1$r0;1;38;5;9m\x1b\\"),
        ("\x1b[2;5r\x1bP$qr\x1b\\", "\x1bP1$r2;5r\x1b\\"),
        ("\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"),
        ("\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\"),
        ("\x1bP+q544e\x1b\\", "\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\"),
        ("\x1bP+q7878\x1b\\", "\x1bP0+r7878\x1b\\"),
        ("\x1bP+q\r7\x1b\\", "\x1bP0+r\x1b\\"),
        ("\x1b]10;?\x07", "\x1b]10;rgb:e5e5/e5e5/e5e5\x07"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"),
        ("\x1b]10;?;?\x07", "\x1b]10;rgb:e5e5/e5e5/e5e5\x07\x1b]11;rgb:0000/0000/0000\x07"),
        ("\x1b]12;#fff\x07\x1b]12;?\x07", "\x1b]12;rgb:f0f0/f0f0/f0f0\x07"),
        (
            "\x1b]4;1;?;231;?\x07",
            "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;231;rgb:ffff/ffff/ffff\x07",
        ),
        ("\x1b]4;1;rgb:1/2/3\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:1111/2222/3333\x07"),
        ("\x1b]4;1;red\x07\x1b]104;1\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\x07"),
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[>5u\x1b[=2;2u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?7u\x1b[?0u"),
        ("\x1b[14t\x1b[16t\x1b[18t", "\x1b[4;576;1080t\x1b[6;18;9t\x1b[8;32;120t"),
        ("\x1b[21t\x1b]52;c;?\x07\x05", ""),
        ("\x1b[?996n", "\x1b[?997;1n"),
    ] {
        assert_eq!(answers(query), answer, "{query:?}");
    }
}

#[test]
fn a_theme_change_is_reported_once_to_whom_asked() {
    let light = Theme { bg: Rgb(255, 255, 255), ..Theme::default() };
    let mut terminal = after(b"");
    terminal.set_theme(light.clone());
    assert_eq!(terminal.poll_reply(), None);
    terminal.feed(b"\x1b[?2031h");
    terminal.set_theme(light);
    assert_eq!(terminal.poll_reply(), None);
    terminal.set_theme(Theme::default());
    assert_eq!(terminal.poll_reply().as_deref(), Some(&b"\x1b[?997;1n"[..]));
    assert_eq!(terminal.poll_reply(), None);
}

#[test]
fn unread_answers_are_bounded_and_counted() {
    let mut terminal = after(&b"\x1b[c".repeat(50_000));
    assert!(terminal.replies_dropped() > 40_000);
    let waiting: usize =
        std::iter::from_fn(|| terminal.poll_reply()).map(|reply| reply.len()).sum();
    assert!(waiting <= 64 * 1024);
    terminal.feed(b"\x1b[5n");
    assert!(terminal.poll_reply().is_some());
}

#[test]
fn a_snapshot_asks_nothing() {
    let mut terminal = after(b"\x1b[c\x1b[6n\x1b]11;?\x07\x1b[?u\x1bP+q544e\x1b\\text");
    while terminal.poll_reply().is_some() {}
    assert_eq!(crate::rebuilt(&terminal).poll_reply(), None);
}

#[test]
fn what_a_program_says_beside_its_text_is_an_event() {
    let mut terminal = after(
        b"\x07\x07\x1b]0;t\x07\x1b]9;done\x07\x1b]9;4;1;50\x07\x1b]777;notify;a;b\x07\
          \x1b]133;A\x07\x1b]133;D;3\x07\x1b]7;file://h/x\x07",
    );
    let events: Vec<Event> = std::iter::from_fn(|| terminal.poll_event()).collect();
    assert_eq!(
        events,
        [
            Event::Bell,
            Event::Title,
            Event::Notify("done".to_owned()),
            Event::Progress { state: 1, percent: 50 },
            Event::Notify("a;b".to_owned()),
            Event::Mark { kind: 'A', exit: None },
            Event::Mark { kind: 'D', exit: Some(3) },
            Event::Cwd,
        ]
    );
    assert_eq!((terminal.title(), terminal.cwd().as_deref()), ("t", Some("/x")));
}
