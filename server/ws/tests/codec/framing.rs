//! Autobahn's chapters 1 to 5 and 10: sizes, pings, reserved bits, opcodes, fragments.

use ws::{CloseCode, Error};

use crate::support::*;

#[test]
fn messages_of_every_size_class_arrive() {
    for size in [0, 1, 125, 126, 127, 128, 65535, 65536] {
        let body = "*".repeat(size);
        assert_eq!(hear(plain(), &frame(TEXT, &body)), [text(&body)], "{size}");
        let body = vec![0xfe; size];
        assert_eq!(hear(plain(), &frame(BINARY, &body)), [binary(&body)], "{size}");
    }
}

#[test]
fn pings_of_up_to_125_bytes_are_heard() {
    let longest = [0xfe; 125];
    for payload in [&b""[..], b"Hello, world!", &[0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb], &longest] {
        assert_eq!(hear(plain(), &frame(PING, payload)), [ping(payload)]);
    }
    assert_eq!(hear(plain(), &frame(PING, [0xfe; 126])), [Err(Error::LongControl)]);
    assert_eq!(hear(plain(), &frame(PONG, [0xfe; 126])), [Err(Error::LongControl)]);
}

#[test]
fn pongs_nobody_asked_for_are_heard_and_harmless() {
    let input = [frame(PONG, ""), frame(PONG, "unasked"), frame(PING, "asked")].concat();
    assert_eq!(hear(plain(), &input), [pong(b""), pong(b"unasked"), ping(b"asked")]);
}

#[test]
fn ten_pings_in_a_row_are_heard_in_order() {
    let input: Vec<u8> = (0..10).flat_map(|n| frame(PING, [n])).collect();
    let heard: Heard = (0..10).map(|n| ping(&[n])).collect();
    assert_eq!(hear(plain(), &input), heard);
}

#[test]
fn reserved_bits_end_the_connection_on_every_kind_of_frame() {
    for rsv in 1..=7_u8 {
        for first in [TEXT, TEXT_PART, BINARY, BINARY_PART, CLOSE, PING, PONG] {
            let input = [frame(TEXT, "before"), frame(first | rsv << 4, "x"), frame(TEXT, "after")]
                .concat();
            let heard = [text("before"), Err(Error::ReservedBit)];
            assert_eq!(hear(plain(), &input), heard, "{first:x} with {rsv}");
        }
    }
}

#[test]
fn reserved_opcodes_end_the_connection() {
    for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
        for payload in ["", "x"] {
            let input =
                [frame(TEXT, "before"), frame(0x80 | opcode, payload), frame(PING, "")].concat();
            assert_eq!(hear(plain(), &input), [text("before"), Err(Error::UnknownOpcode(opcode))]);
        }
    }
}

#[test]
fn control_frames_are_never_fragmented() {
    for opcode in [8, 9, 10] {
        let input = [frame(opcode, "frag"), frame(LAST, "ment")].concat();
        assert_eq!(hear(plain(), &input), [Err(Error::FragmentedControl)]);
    }
}

#[test]
fn fragments_become_one_message() {
    let input = [frame(TEXT_PART, "frag"), frame(LAST, "ment")].concat();
    assert_eq!(hear(plain(), &input), [text("fragment")]);
    let input = [frame(BINARY_PART, ""), frame(PART, ""), frame(LAST, "")].concat();
    assert_eq!(hear(plain(), &input), [binary(b"")]);
}

#[test]
fn control_frames_between_fragments_are_heard_at_once() {
    let input = [
        frame(TEXT_PART, "one "),
        frame(PART, "two "),
        frame(PING, "first"),
        frame(PART, "three "),
        frame(PONG, "second"),
        frame(PING, ""),
        frame(LAST, "four"),
    ]
    .concat();
    let heard = [ping(b"first"), pong(b"second"), ping(b""), text("one two three four")];
    assert_eq!(hear(plain(), &input), heard);
}

#[test]
fn a_continuation_needs_a_message_to_continue() {
    let stray = [Err(Error::StrayContinuation)];
    for first in [PART, LAST] {
        for payload in ["", "non-continuation"] {
            assert_eq!(hear(plain(), &[frame(first, payload), frame(TEXT, "x")].concat()), stray);
        }
    }
    let after_a_whole = [frame(TEXT_PART, "a"), frame(LAST, "b"), frame(PART, "c")].concat();
    assert_eq!(hear(plain(), &after_a_whole), [text("ab"), Err(Error::StrayContinuation)]);
}

#[test]
fn a_message_never_starts_inside_another() {
    for first in [TEXT, TEXT_PART, BINARY, BINARY_PART] {
        let input = [frame(TEXT_PART, "a"), frame(PING, ""), frame(first, "b")].concat();
        assert_eq!(hear(plain(), &input), [ping(b""), Err(Error::InterleavedMessage)]);
    }
}

#[test]
fn a_client_must_mask_and_a_server_must_not() {
    assert_eq!(hear(plain(), b"\x81\x05Hello"), [Err(Error::Unmasked)]);
    let mut client = ws::Codec::client(plain());
    client.on_bytes(&frame(TEXT, "Hello"));
    assert_eq!(client.poll_event(), Some(Err(Error::Masked)));
}

#[test]
fn lengths_come_in_their_shortest_form() {
    let rows: [&[u8]; 4] = [
        &[0x82, 0xfe, 0x00, 0x00],
        &[0x82, 0xfe, 0x00, 0x7d],
        &[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 5],
        &[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
    ];
    for row in rows {
        assert_eq!(hear(plain(), row), [Err(Error::OverlongLength)], "{row:x?}");
    }
}

#[test]
fn a_large_message_in_many_fragments_arrives() {
    let body = "*".repeat(65536);
    let mut pieces = body.as_bytes().chunks(1300);
    let mut input = frame(TEXT_PART, pieces.next().unwrap());
    pieces.for_each(|piece| input.extend(frame(PART, piece)));
    input.extend(frame(LAST, ""));
    assert_eq!(hear(plain(), &input), [text(&body)]);
}

#[test]
fn a_breach_of_framing_closes_with_1002() {
    let rows = [
        Error::ReservedBit,
        Error::UnknownOpcode(3),
        Error::FragmentedControl,
        Error::LongControl,
        Error::OverlongLength,
        Error::LengthOutOfRange,
        Error::Unmasked,
        Error::Masked,
        Error::StrayContinuation,
        Error::InterleavedMessage,
        Error::HalfCloseCode,
        Error::BadCloseCode(1005),
    ];
    for error in rows {
        assert_eq!(error.close_code(), CloseCode::PROTOCOL, "{error:?}");
    }
}
