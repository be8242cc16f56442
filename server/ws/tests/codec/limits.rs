//! Autobahn's chapter 9, and what lies past it: large messages arrive, larger ones cost nothing.

use ws::{CloseCode, Codec, Config, Error};

use crate::support::*;

const MIB: usize = 1 << 20;

/// What a codec may hold beside the message: input buffered between reads.
const SLACK_BYTES: usize = 8192;

#[test]
fn a_message_of_exactly_the_limit_arrives() {
    let body = vec![b'*'; 16 * MIB];
    let heard = hear_in(plain(), &frame(TEXT, &body), 65536);
    assert_eq!(heard, [Ok(ws::Event::Text(String::from_utf8(body).unwrap()))]);
}

#[test]
fn large_messages_arrive_in_fragments_and_pieces_of_any_size() {
    let body = vec![0xfe; 4 * MIB];
    for fragment in [64, 256, 1024, 4096, 65536, MIB] {
        let mut pieces = body.chunks(fragment);
        let mut input = frame(BINARY_PART, pieces.next().unwrap());
        pieces.for_each(|piece| input.extend(frame(PART, piece)));
        input.extend(frame(LAST, ""));
        assert_eq!(hear_in(plain(), &input, 65536), [binary(&body)], "fragments of {fragment}");
    }
    for piece in [64, 128, 2048, 65536] {
        assert_eq!(hear_in(plain(), &frame(BINARY, &body), piece), [binary(&body)], "by {piece}");
    }
}

#[test]
fn a_declared_length_past_the_limit_is_refused_before_any_payload() {
    let limit_bytes = 16 * MIB;
    let limit = u64::try_from(limit_bytes).unwrap();
    for config in [plain(), deflating()] {
        for declared in [limit + 1, 17 << 20, 1 << 31, 1 << 32, (1 << 63) - 1] {
            let head = [&[0x82, 0xff][..], &declared.to_be_bytes(), &[0; 4]].concat();
            assert_eq!(hear(config, &head), [Err(Error::TooBig { limit_bytes })], "{declared}");
        }
    }
    let head = [&[0xc2, 0xff][..], &(19_u64 << 20).to_be_bytes(), &[0; 4]].concat();
    assert_eq!(hear(deflating(), &head), [Err(Error::TooBig { limit_bytes })], "compressed");
    let head = [&[0x82, 0xff][..], &(1_u64 << 63).to_be_bytes(), &[0; 4]].concat();
    assert_eq!(hear(plain(), &head), [Err(Error::LengthOutOfRange)]);
}

#[test]
fn a_promised_message_takes_no_memory_until_it_arrives() {
    let mut codec = Codec::server(plain());
    let whole = frame(BINARY, vec![0; 16 * MIB]);
    codec.on_bytes(&whole[..100]);
    assert_eq!(codec.poll_event(), None);
    assert!(codec.held_bytes() < SLACK_BYTES, "{}", codec.held_bytes());
}

#[test]
fn fragments_past_the_limit_are_refused_at_the_header_that_passes_it() {
    let config = Config { max_message_bytes: 1000, ..plain() };
    let input = [frame(BINARY_PART, [0; 600]), frame(PART, [0; 400]), frame(LAST, [0])].concat();
    assert_eq!(hear(config, &input), [Err(Error::TooBig { limit_bytes: 1000 })]);
}

#[test]
fn an_inflate_bomb_costs_at_most_the_limit() {
    let config = Config { max_message_bytes: MIB, ..deflating() };
    let bomb = deflated(vec![0; 4 * MIB]);
    assert!(bomb.len() < MIB / 8, "a bomb is small");
    let whole = frame(BINARY | RSV1, &bomb);
    let mut fragments = frame(BINARY_PART | RSV1, "");
    bomb.chunks(100).for_each(|piece| fragments.extend(frame(PART, piece)));
    for input in [whole, fragments] {
        let mut codec = Codec::server(config);
        let mut most = 0;
        let mut heard = Vec::new();
        for piece in input.chunks(512) {
            codec.on_bytes(piece);
            heard.extend(std::iter::from_fn(|| codec.poll_event()));
            most = most.max(codec.held_bytes());
        }
        assert_eq!(heard, [Err(Error::TooBig { limit_bytes: MIB })]);
        assert!(most <= MIB + SLACK_BYTES, "held {most}");
        assert!(codec.held_bytes() <= SLACK_BYTES, "held {} after the end", codec.held_bytes());
    }
}

#[test]
fn a_compressed_message_of_exactly_the_limit_arrives() {
    let config = Config { max_message_bytes: 10_000, ..deflating() };
    for (size, fits) in [(9_999, true), (10_000, true), (10_001, false)] {
        let body = vec![7; size];
        let input = frame(BINARY | RSV1, deflated(&body));
        let expected =
            if fits { binary(&body) } else { Err(Error::TooBig { limit_bytes: 10_000 }) };
        assert_eq!(hear(config, &input), [expected], "{size}");
    }
}

#[test]
fn compressed_blocks_that_say_nothing_end_at_the_wire_limit() {
    let config = Config { max_message_bytes: 1000, ..deflating() };
    let nothing = [0x00, 0x00, 0x00, 0xff, 0xff].repeat(100);
    let mut input = frame(BINARY_PART | RSV1, &nothing);
    (0..3).for_each(|_| input.extend(frame(PART, &nothing)));
    assert_eq!(hear(config, &input), [Err(Error::TooBig { limit_bytes: 1000 })]);
}

#[test]
fn a_flood_of_empty_fragments_is_a_breach_of_policy() {
    let mut input = frame(TEXT_PART, "");
    (0..2000).for_each(|_| input.extend(frame(PART, "")));
    assert_eq!(hear(plain(), &input), [Err(Error::TooManyFragments)]);
    assert_eq!(Error::TooManyFragments.close_code(), CloseCode::POLICY);
    assert_eq!(Error::TooBig { limit_bytes: 1 }.close_code(), CloseCode::TOO_BIG);
}

#[test]
fn a_quiet_connection_holds_next_to_nothing() {
    let mut codec = Codec::server(deflating());
    codec.on_bytes(&frame(BINARY | RSV1, deflated(vec![7; MIB])));
    codec.on_bytes(&frame(BINARY, vec![7; MIB]));
    while codec.poll_event().is_some() {}
    assert!(codec.held_bytes() <= 4096, "{}", codec.held_bytes());
    assert!(size_of::<Codec>() < 512, "{}", size_of::<Codec>());
}
