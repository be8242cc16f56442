//! For every point at which a recorder can die: what its successor makes of the record equals
//! what it would have made itself, or hides more.

use super::*;
use crate::hub::recorder::gather::Gather;

/// Lines with secrets of every kind that spans time: tokens, values, a key block, the clipboard.
const OUTPUT: &str = "\x1b[32m$\x1b[0m env\r\n\
    PATH=/usr/bin:/bin\r\n\
    ANTHROPIC_API_KEY=sk-ant-api03-aaaaaaaaaaBBBBBBBBBBccccccccccDDDDDDDDDD\r\n\
    password: 'correct horse 9 battery staple' and on\r\n\
    Authorization: Bearer abcdefGHIJKL0123456789mnopqrstuvwxyz\r\n\
    -----BEGIN OPENSSH PRIVATE KEY-----\r\n\
    b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\r\n\
    QyNTUxOQAAACBJ7q4a7mVQk9zv1aQwPZ3JZk2mXo0d8cJY3vZ4gq5aVQAAAJhK1H1kStR9\r\n\
    -----END OPENSSH PRIVATE KEY-----\r\n\
    \x1b]52;c;c2VjcmV0IGluIHRoZSBjbGlwYm9hcmQ=\x07plain again\r\n\
    https://ann:hunter2hunter2@example.org/x?token=0123456789abcdef0123\r\n\
    ghp_0123456789abcdefghijABCDEFGHIJ012345 is gone\r\n\
    no secret in the last line\r\n";

/// What must never be seen, in pieces no longer than a crash could let slip.
const SECRETS: &[&str] = &[
    "aaaaaaaaaaBB",
    "ccccccccDD",
    "correct horse",
    "battery staple",
    "abcdefGHIJKL",
    "mnopqrstuvwx",
    "b3BlbnNzaC1r",
    "QyNTUxOQAAAC",
    "c2VjcmV0IGlu",
    "hunter2hunter2",
    "0123456789abcdef",
];

/// How output comes: so many bytes at once, so long apart.
#[derive(Clone, Copy, Debug)]
struct Pace(usize, Duration);

/// Rows close in between, words do not.
const STEP: Duration = Duration::from_millis(25);
/// After each piece the redactor settles.
const PAUSE: Duration = Duration::from_millis(300);

/// Feeds `raw` from where `gather` stands and keeps what comes out. Dies before it has fed
/// `dies_at`, leaving behind what was taken.
fn run(
    gather: &mut Gather,
    raw: &[u8],
    Pace(piece, step): Pace,
    dies_at: usize,
    record: &mut Vec<u8>,
    standing: &mut Role,
) {
    let mut now = Instant::now();
    loop {
        while let Some(batch) = gather.take(now) {
            assert_eq!(batch.from, standing.durable);
            record.extend(batch.rows().flat_map(|row| row.bytes.iter().copied()));
            let (durable, redact_state) = (batch.to, batch.redact_state);
            *standing = Role { durable, redact_state, ..*standing };
        }
        let at = usize::try_from(gather.fed().0).unwrap();
        if at >= dies_at.min(raw.len()) {
            return;
        }
        gather.on_output(1, &raw[at..(at + piece).min(raw.len())], now);
        now += step;
        gather.on_time(now);
    }
}

fn start() -> Role {
    Role { durable: Seq::ZERO, mark: 0, epoch: 1, redact_state: 0 }
}

fn session() -> SessionId {
    SessionId::from_random([9; 16])
}

fn finish(gather: &mut Gather, record: &mut Vec<u8>) {
    let now = Instant::now() + PATIENCE;
    let exit = MarkKind::Exit { exit: Exit::Code(0) };
    gather.on_mark(Mark { n: 1, seq: gather.fed(), at_ms: 1, kind: exit }, now);
    while let Some(batch) = gather.take(now) {
        record.extend(batch.rows().flat_map(|row| row.bytes.iter().copied()));
    }
}

/// The record of a session whose recorder dies at `dies_at` and is followed by another.
fn with_crash(raw: &[u8], pace: Pace, dies_at: usize) -> String {
    let (mut record, mut standing) = (Vec::new(), start());
    let mut first = Gather::new(session(), standing, 80, &[]);
    run(&mut first, raw, pace, dies_at, &mut record, &mut standing);
    drop(first);
    let durable = usize::try_from(standing.durable.0).unwrap();
    let before = &raw[durable.saturating_sub(128 * 1024)..durable];
    let mut second = Gather::new(session(), standing, 80, before);
    run(&mut second, raw, pace, usize::MAX, &mut record, &mut standing);
    finish(&mut second, &mut record);
    String::from_utf8(record).unwrap()
}

#[test]
fn at_every_cut_the_record_is_the_same_or_hides_more() {
    let raw = OUTPUT.as_bytes();
    for pace in [Pace(1, STEP), Pace(7, STEP), Pace(64, STEP), Pace(9, PAUSE)] {
        let whole = with_crash(raw, pace, usize::MAX);
        assert!(whole.contains("no secret in the last line"));
        for dies_at in (0..raw.len()).step_by(pace.0) {
            let record = with_crash(raw, pace, dies_at);
            // What a pause may let go is the redactor's own to prove.
            for secret in SECRETS.iter().filter(|_| pace.1 == STEP) {
                assert!(!record.contains(secret), "{secret} after {dies_at} at {pace:?}: {record}");
            }
            assert_hides_more(&whole, &record, &format!("died at {dies_at}, {pace:?}"));
        }
    }
}

#[test]
fn a_clipboard_longer_than_what_a_successor_sees_stays_out_of_the_record() {
    let payload = "c2VjcmV0IGluIHRoZSBjbGlwYm9hcmQg".repeat(10_000);
    let raw = format!("before\r\n\x1b]52;c;{payload}\x07after\r\n");
    for dies_at in (0..raw.len()).step_by(13_000) {
        let record = with_crash(raw.as_bytes(), Pace(4096, STEP), dies_at);
        assert_eq!(record, "before\r\nafter\r\n", "died at {dies_at}");
    }
}

/// Every byte of `record` is that of `whole` or part of a mask.
fn assert_hides_more(whole: &str, record: &str, when: &str) {
    assert_eq!(whole.len(), record.len(), "{when}\n{whole}\n{record}");
    let hidden = masks(record);
    for (at, (ours, theirs)) in record.bytes().zip(whole.bytes()).enumerate() {
        assert!(ours == theirs || hidden[at], "{when}, at {at}:\n{record}");
    }
}

fn masks(record: &str) -> Vec<bool> {
    let mut hidden: Vec<bool> = record.bytes().map(|byte| byte == b'*').collect();
    for (at, _) in record.match_indices("[redacted:") {
        let len = record.bytes().skip(at).position(|byte| byte == b']').unwrap_or(0);
        hidden[at..=at + len].fill(true);
    }
    hidden
}

#[test]
fn a_store_that_is_away_bounds_what_gathers() {
    let mut gather = Gather::new(session(), start(), 80, &[]);
    let (line, now) = (format!("{}\r\n", "l".repeat(998)), Instant::now());
    let mut fed = 0;
    while !gather.is_full() {
        gather.on_output(1, line.as_bytes(), now);
        fed += line.len();
    }
    assert!(fed <= 1024 * 1024 + 2 * line.len(), "{fed}");

    // A byte at a time: rows would outgrow bytes.
    let mut gather = Gather::new(session(), start(), 80, &[]);
    let (mut now, mut rows) = (Instant::now(), 0);
    while !gather.is_full() {
        gather.on_output(1, b".\n", now);
        now += STEP;
        rows += 1;
    }
    assert!(rows <= 10_000, "{rows}");
}

#[test]
fn a_mark_is_stored_no_earlier_than_the_output_before_it() {
    let mut gather = Gather::new(session(), start(), 80, &[]);
    let now = Instant::now();
    // The start of a secret is held: nothing of it is released yet.
    gather.on_output(1, b"sk-ant-api03-", now);
    let resize = MarkKind::Resize { cols: 40, rows: 10, by: String::new() };
    gather.on_mark(Mark { n: 1, seq: gather.fed(), at_ms: 1, kind: resize }, now);
    let early = gather.take(now);
    assert!(early.is_none_or(|batch| batch.marks.is_empty()), "the mark waits");
    gather.on_output(1, b"aaaaaaaaaaBBBBBBBBBBcccccccccc\r\n", now);
    gather.close();
    let batch = gather.take(now).unwrap();
    assert_eq!((batch.to, batch.mark, batch.marks.len()), (gather.fed(), 1, 1));
}
