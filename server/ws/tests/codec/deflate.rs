//! Autobahn's chapters 12 and 13: permessage-deflate, against streams we did not make ourselves.

use flate2::{Decompress, FlushDecompress, Status};
use proptest::prelude::*;
use ws::deflate::{Deflater, MIN_DEFLATE_BYTES, compress};
use ws::{CloseCode, Codec, Error, Frame};

use crate::support::*;

/// The examples of RFC 7692, section 7.2.3, that need no context: payload, then what it says.
const RFC: &[&[u8]] = &[
    // One block.
    &[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
    // Not compressed.
    &[0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00],
    // A final block, then the start of an empty one.
    &[0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
    // Two blocks.
    &[0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00],
];

#[test]
fn the_examples_of_the_rfc_say_hello() {
    for payload in RFC {
        assert_eq!(hear(deflating(), &frame(TEXT | RSV1, payload)), [text("Hello")]);
        for cut in 0..payload.len() {
            let (start, end) = payload.split_at(cut);
            let input =
                [frame(TEXT_PART | RSV1, start), frame(PING, ""), frame(LAST, end)].concat();
            assert_eq!(hear(deflating(), &input), [ping(b""), text("Hello")], "cut at {cut}");
        }
    }
}

#[test]
fn an_empty_message_is_one_byte_or_none() {
    assert_eq!(hear(deflating(), &frame(TEXT | RSV1, [0x00])), [text("")]);
    assert_eq!(hear(deflating(), &frame(TEXT | RSV1, [])), [text("")]);
    assert_eq!(deflated(""), [0x00]);
}

#[test]
fn messages_of_every_sender_arrive() {
    for size in [16, 64, 1024, 8192, 32768, 131_072] {
        for (kind, body) in bodies(size) {
            for level in [0, 1, 6] {
                for window_bits in [9, 15] {
                    let input = frame(BINARY | RSV1, their_deflate(&body, level, window_bits));
                    let heard = hear_in(deflating(), &input, 1500);
                    assert_eq!(heard, [binary(&body)], "{kind} {size} {level} {window_bits}");
                }
            }
        }
    }
}

#[test]
fn compressed_messages_may_come_in_fragments() {
    for size in [1024, 65536] {
        for (kind, body) in bodies(size) {
            let deflated = deflated(&body);
            let mut pieces = deflated.chunks(100);
            let mut input = frame(BINARY_PART | RSV1, pieces.next().unwrap());
            pieces.for_each(|piece| input.extend(frame(PART, piece)));
            input.extend(frame(LAST, ""));
            assert_eq!(hear_in(deflating(), &input, 64), [binary(&body)], "{kind} {size}");
        }
    }
}

#[test]
fn messages_stand_alone() {
    let body = "the same again and again".repeat(50);
    let one = frame(TEXT | RSV1, deflated(&body));
    let input = [one.clone(), frame(TEXT, "plain"), one].concat();
    assert_eq!(hear(deflating(), &input), [text(&body), text("plain"), text(&body)]);
    // Looks back into the message before, as a sender with context takeover would.
    let borrowed = [frame(TEXT | RSV1, RFC[0]), frame(TEXT | RSV1, [0xf2, 0x00, 0x11, 0x00, 0x00])];
    assert_eq!(hear(deflating(), &borrowed.concat()), [text("Hello"), Err(Error::CorruptDeflate)]);
}

#[test]
fn rsv1_stands_on_the_first_frame_of_a_message_only() {
    let hello = RFC[0];
    let rows = [
        [frame(TEXT_PART | RSV1, hello), frame(LAST | RSV1, "")].concat(),
        [frame(TEXT_PART, "plain"), frame(LAST | RSV1, hello)].concat(),
        frame(PING | RSV1, ""),
        frame(CLOSE | RSV1, ""),
    ];
    for input in rows {
        assert_eq!(hear(deflating(), &input), [Err(Error::ReservedBit)]);
    }
    assert_eq!(hear(plain(), &frame(TEXT | RSV1, hello)), [Err(Error::ReservedBit)]);
}

#[test]
fn corrupt_and_cut_messages_are_refused_with_1007() {
    let whole = deflated((0..=255).cycle().take(3000).collect::<Vec<u8>>());
    for payload in [&[0x07][..], &[0xff; 20], b"\x00\x05\x00\xfa\xfeHello\x00"] {
        let heard = hear(deflating(), &frame(BINARY | RSV1, payload));
        assert_eq!(heard, [Err(Error::CorruptDeflate)], "{payload:x?}");
    }
    for end in 1..whole.len() {
        let heard = hear_in(deflating(), &frame(BINARY | RSV1, &whole[..end]), 100);
        assert_eq!(heard, [Err(Error::CorruptDeflate)], "cut at {end}");
    }
    assert_eq!(Error::CorruptDeflate.close_code(), CloseCode::INVALID_DATA);
}

#[test]
fn what_we_compress_others_inflate() {
    for size in [1024, 8192, 65536, 1 << 20] {
        for (kind, body) in bodies(size) {
            let Some(shared) = compress(&body) else {
                assert_eq!(kind, "noise", "{size}");
                continue;
            };
            assert!(shared.as_bytes().len() < size, "{kind} {size}");
            assert_eq!(their_inflate(shared.as_bytes(), size), body, "{kind} {size}");
        }
    }
}

#[test]
fn a_body_that_is_short_or_does_not_shrink_stays_plain() {
    assert_eq!(compress(b""), None);
    assert_eq!(compress(&[7; MIN_DEFLATE_BYTES - 1]), None);
    assert!(compress(&[7; MIN_DEFLATE_BYTES]).is_some());
    let [_, (_, noise), _] = bodies(8192);
    assert_eq!(compress(&noise), None);
}

#[test]
fn a_compressor_remembers_nothing() {
    let mut deflater = Deflater::new();
    let [(_, zeros), (_, noise), (_, lines)] = bodies(8192);
    let first = deflater.compress(&lines);
    deflater.compress(&zeros);
    deflater.compress(&noise);
    assert_eq!(deflater.compress(&lines), first);
}

#[test]
fn one_compressed_body_serves_everyone_who_agreed() {
    let shared = compress(&[b'x'; 8192]).unwrap();
    let frame = Frame::deflated_text(shared.clone());
    assert_eq!(frame.head()[0], TEXT | RSV1);
    assert_eq!(frame.body().as_ptr(), shared.as_bytes().as_ptr());
    assert!(Codec::server(deflating()).takes_deflated());
    assert!(!Codec::server(plain()).takes_deflated());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_compressed_body_arrives(
        body in prop::collection::vec(any::<u8>(), 0..5000),
        level in 0_u32..10,
    ) {
        let input = frame(BINARY | RSV1, their_deflate(&body, level, 15));
        prop_assert_eq!(hear_in(deflating(), &input, 333), [binary(&body)]);
    }
}

/// Bodies that compress well, badly and like a terminal's output.
fn bodies(size: usize) -> [(&'static str, Vec<u8>); 3] {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    let lines = (0..)
        .flat_map(|n| format!("\x1b[32m{n:>6}\x1b[0m compiling crate {}\r\n", n % 7).into_bytes());
    [
        ("zeros", vec![0; size]),
        ("noise", noise.take(size).collect()),
        ("lines", lines.take(size).collect()),
    ]
}

fn their_inflate(payload: &[u8], size: usize) -> Vec<u8> {
    let payload = [payload, &[0x00, 0x00, 0xff, 0xff]].concat();
    let mut out = Vec::with_capacity(size + 100);
    let mut stream = Decompress::new(false);
    let status = stream.decompress_vec(&payload, &mut out, FlushDecompress::Sync).unwrap();
    assert_ne!(status, Status::StreamEnd, "a message has no final block");
    out
}
