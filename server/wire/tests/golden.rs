//! Golden frames: the bytes that Rust and TypeScript must both read and write.
//!
//! Each case in `tests/fixtures/frames` is a meaning beside its bytes in hex, or beside its JSON.
//! The page's tests read the same files. A deliberate change is written with
//! `GLASSHOUSE_UPDATE=1`, and both sides then have to follow.

use std::path::PathBuf;

use serde_json::{Value, json};
use wire::browser::{
    CallerKind, ClientMessage, ControlAction, Exit, Holder, Modes, Paste, ReadyLimits, Recording,
    Scope, ServerMessage, SessionState, SnapshotReason, ViewerInfo,
};
use wire::frame::{self, BulkHead, LinkKind, OutputHead, ViewerInput};
use wire::{ErrorCode, Seq, SessionId, ViewerId};

fn session() -> SessionId {
    "8f14e45f-ceea-467f-a9d0-5b1c2f3e4d5c".parse().expect("a well-formed id")
}

fn viewer() -> ViewerId {
    "00112233-4455-4677-8899-aabbccddeeff".parse().expect("a well-formed id")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares `cases` with the committed file.
fn check(name: &str, cases: &[Value]) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/frames").join(name);
    let text = serde_json::to_string_pretty(cases).expect("plain JSON") + "\n";
    if std::env::var_os("GLASSHOUSE_UPDATE").is_some() {
        std::fs::write(&path, &text).expect("the fixtures are writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, text, "{} is stale", path.display());
}

#[test]
fn viewer_frames_are_as_written_down() {
    let outputs = [("an empty output", 0, ""), ("é cut into frames whole", 1 << 33, "h\u{e9}\r\n")];
    let mut cases: Vec<_> = outputs
        .map(|(means, end, text)| {
            let bytes = [&frame::viewer_output_head(Seq(end)), text.as_bytes()].concat();
            json!({ "means": means, "frame": "output", "seq": end, "text": text, "hex": hex(&bytes) })
        })
        .into();
    let part = [frame::viewer_snapshot_head(7).as_slice(), b"\x1b[H"].concat();
    cases
        .push(json!({ "means": "a snapshot part", "frame": "snapshot", "n": 7, "text": "\u{1b}[H",
        "hex": hex(&part) }));
    let inputs = [
        ("a key", None, 0, 0, 1, "a"),
        ("an arrow under grant 9", None, 9, 2, 77, "\u{1b}[A"),
        ("a whole paste", Some(Paste::One), 1, 0, 1 << 40, "two\nlines"),
        ("the first part of a paste", Some(Paste::Start), 1, 0, 2, "x"),
        ("a middle part", Some(Paste::More), 1, 0, 3, "y"),
        ("the last part", Some(Paste::End), 1, 0, 4, ""),
    ];
    for (means, paste, epoch, run, id, text) in inputs {
        let input = ViewerInput { paste, epoch, run, id, bytes: text.as_bytes() };
        let bytes = input.to_bytes();
        assert_eq!(ViewerInput::parse(&bytes), Ok(input));
        cases.push(json!({ "means": means, "frame": "input", "paste": paste, "epoch": epoch,
            "run": run, "id": id, "text": text, "hex": hex(&bytes) }));
    }
    check("viewer.json", &cases);
}

#[test]
fn link_frames_are_as_written_down() {
    let framed = |kind, payload: &[u8]| {
        hex(&[frame::link_head(kind, payload.len()).as_slice(), payload].concat())
    };
    let output = OutputHead { handle: 3, end: Seq(6), at_ms: 1_700_000_000_000 };
    let bulk = BulkHead { request: 12, last: true };
    let head = br#"{"session":"s"}"#;
    let cases = [
        json!({ "means": "a request", "hex": framed(LinkKind::Control, br#"{"id":1,"do":"ping"}"#) }),
        json!({ "means": "output", "handle": 3, "end": 6, "atMs": 1_700_000_000_000_u64,
            "hex": framed(LinkKind::Output, &[output.to_bytes().as_slice(), b"hello\n"].concat()) }),
        json!({ "means": "the last part of a bulk reply", "request": 12,
            "hex": framed(LinkKind::Bulk, &[bulk.to_bytes().as_slice(), b"z"].concat()) }),
        json!({ "means": "input", "request": 5,
            "hex": framed(LinkKind::Input, &[&frame::input_head(5, head), b"ls\r".as_slice()].concat()) }),
    ];
    check("link.json", &cases);
}

#[test]
fn server_messages_are_as_written_down() {
    let holder = Holder { viewer: viewer(), name: "Anna".into(), kind: CallerKind::Person };
    let messages = [
        ServerMessage::Ready {
            session: session(),
            stream: 1,
            seq: Seq(0),
            cols: 120,
            rows: 32,
            holder: Some(holder.clone()),
            you: false,
            epoch: 4,
            read_only: false,
            limits: ReadyLimits { input_units: 1_000_000, cols: 400, rows: 200 },
        },
        ServerMessage::Snapshot {
            n: 1,
            seq: Seq(8192),
            cols: 120,
            rows: 32,
            scope: Scope::Replay,
            reason: SnapshotReason::Attach,
            bytes: 5,
            part: Some(0),
            last: Some(true),
            data: Some("hello".into()),
        },
        ServerMessage::Output { seq: Seq(5), data: "hello".into() },
        ServerMessage::Status {
            state: SessionState::Exited,
            exit: Some(Exit::Signal(9)),
            recording: Recording::On,
        },
        ServerMessage::Control {
            holder: Some(holder),
            epoch: 4,
            until_ms: 30_000,
            you: true,
            requested_by: None,
        },
        ServerMessage::Viewers {
            viewers: vec![ViewerInfo {
                viewer: viewer(),
                name: "Anna".into(),
                kind: CallerKind::Person,
                read_only: false,
                visible: true,
                you: true,
            }],
        },
        ServerMessage::Resized { cols: 80, rows: 24, by: "Anna".into(), seq: Seq(77) },
        ServerMessage::Lag { behind_bytes: 2_000_000, skipped_bytes: 1_900_000 },
        ServerMessage::Gap { from: Seq(1), to: Seq(9), why: "not kept".into() },
        ServerMessage::InputAck { id: 12 },
        ServerMessage::Refused {
            id: Some(13),
            code: ErrorCode::HeldBy,
            holder: Some("Anna".into()),
        },
        ServerMessage::Modes(Modes { kitty: 1, paste: true, ..Modes::default() }),
        ServerMessage::Notify { text: "done".into() },
        ServerMessage::Error {
            code: ErrorCode::BadMessage,
            message: "not JSON".into(),
            fatal: false,
        },
        ServerMessage::Pong { t: 1.5 },
        ServerMessage::SessionReplaced { session: session(), stream: 2 },
    ];
    let cases: Vec<_> = messages
        .iter()
        .map(|message| {
            let value = serde_json::to_value(message).unwrap();
            assert_eq!(&serde_json::from_value::<ServerMessage>(value.clone()).unwrap(), message);
            value
        })
        .collect();
    check("server-messages.json", &cases);
}

#[test]
fn client_messages_are_as_written_down() {
    let input = |paste, id: Option<u64>| ClientMessage::Input {
        data: "ls\r".into(),
        paste,
        epoch: id.map(|_| 3),
        run: id.map(|_| 0),
        id,
    };
    let messages = [
        input(None, None),
        input(Some(Paste::One), Some(4)),
        ClientMessage::Resize { cols: 80, rows: 24, cell_width: Some(8), cell_height: Some(17) },
        ClientMessage::Interrupt {},
        ClientMessage::Ping { t: 12.25 },
        ClientMessage::Control { action: ControlAction::Take },
        ClientMessage::Ack { stream: 1, seq: Seq(8192), n: Some(1) },
        ClientMessage::Visibility { visible: false },
        ClientMessage::Theme {
            fg: "#e4e7eb".into(),
            bg: "#0f1216".into(),
            cursor: "#6cb2eb".into(),
            palette: vec!["#000000".into(); 16],
        },
        ClientMessage::Resync {},
    ];
    let cases: Vec<_> = messages
        .iter()
        .map(|message| {
            let value = serde_json::to_value(message).unwrap();
            assert_eq!(&serde_json::from_value::<ClientMessage>(value.clone()).unwrap(), message);
            value
        })
        .collect();
    check("client-messages.json", &cases);
}

#[test]
fn a_client_message_with_an_unknown_type_or_field_is_refused() {
    for text in [
        r#"{"type":"fly"}"#,
        r#"{"type":"interrupt","role":"owner"}"#,
        r#"{"type":"resize","cols":-1,"rows":24}"#,
        r#"{"type":"resize","cols":80.5,"rows":24}"#,
        r#"{"type":"input","data":"\ud800"}"#,
        r#"["input"]"#,
        "",
    ] {
        assert!(serde_json::from_str::<ClientMessage>(text).is_err(), "{text}");
    }
}
