//! Whatever arrives, however it is cut: the same events, no panic, and no memory past the limit.

use proptest::prelude::*;
use ws::{Codec, Config, Event, Frame};

use crate::support::*;

const LIMIT_BYTES: usize = 2000;

proptest! {
    #[test]
    fn any_way_of_cutting_the_input_gives_the_same_events(
        input in conversation(),
        cuts in prop::collection::vec(1_usize..200, 1..20),
    ) {
        let whole = hear_in(limited(), &input, usize::MAX);
        prop_assert_eq!(&hear_in(limited(), &input, 1), &whole);
        prop_assert_eq!(hear_cut(&input, &cuts), whole);
    }

    #[test]
    fn damaged_input_gives_the_same_events_and_error_however_it_is_cut(
        mut input in conversation(),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cuts in prop::collection::vec(1_usize..200, 1..20),
    ) {
        for (place, byte) in places {
            if !input.is_empty() {
                let place = place.index(input.len());
                input[place] = byte;
            }
        }
        let whole = hear_in(limited(), &input, usize::MAX);
        prop_assert!(whole.iter().filter(|heard| heard.is_err()).count() <= 1);
        prop_assert_eq!(&hear_in(limited(), &input, 1), &whole);
        prop_assert_eq!(hear_cut(&input, &cuts), whole);
    }

    #[test]
    fn random_bytes_never_panic_nor_pass_the_limit(
        input in prop::collection::vec(any::<u8>(), 0..4000),
        first in prop::sample::select(vec![TEXT, BINARY, BINARY_PART, TEXT | RSV1, BINARY_PART | RSV1]),
    ) {
        // As they are, and as the payload of a frame.
        for input in [input.clone(), frame(first, &input)] {
            let mut codec = Codec::server(limited());
            for piece in input.chunks(100) {
                codec.on_bytes(piece);
                while codec.poll_event().is_some() {}
                prop_assert!(codec.held_bytes() <= LIMIT_BYTES + 100, "{}", codec.held_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_one_end_encodes_the_other_decodes(
        messages in prop::collection::vec((any::<bool>(), any::<bool>(), "\\PC{0,900}"), 0..8),
        key: [u8; 4],
    ) {
        for to_server in [true, false] {
            let mut codec =
                if to_server { Codec::server(deflating()) } else { Codec::client(deflating()) };
            let mut expected = Vec::new();
            for (is_text, compress, body) in &messages {
                let shared = compress.then(|| ws::deflate::compress(body.as_bytes())).flatten();
                let frame = match (is_text, shared) {
                    (true, None) => Frame::text(body.clone()),
                    (false, None) => Frame::binary(body.clone()),
                    (true, Some(shared)) => Frame::deflated_text(shared),
                    (false, Some(shared)) => Frame::deflated_binary(shared),
                };
                let frame = if to_server { frame.masked(key) } else { frame };
                codec.on_bytes(frame.head());
                codec.on_bytes(frame.body());
                expected.push(if *is_text { text(body) } else { binary(body.as_bytes()) });
            }
            let heard: Heard = std::iter::from_fn(|| codec.poll_event()).collect();
            prop_assert_eq!(heard, expected);
        }
    }
}

#[test]
fn a_decoder_may_be_fed_from_a_buffer_it_does_not_own() {
    let input = [frame(TEXT, "one"), frame(PING, "two"), frame(TEXT_PART, "thr")].concat();
    let mut decoder = ws::Decoder::new(ws::Role::Server, LIMIT_BYTES, false);
    let mut rest = &input[..];
    assert_eq!(decoder.decode(&mut rest), Ok(Some(Event::Text("one".to_owned()))));
    assert_eq!(decoder.decode(&mut rest).transpose(), Some(ping(b"two")));
    assert_eq!((decoder.decode(&mut rest), rest), (Ok(None), &[][..]));
    assert_eq!(decoder.held_bytes(), 3);
}

fn limited() -> Config {
    Config { max_message_bytes: LIMIT_BYTES, ..deflating() }
}

fn hear_cut(input: &[u8], cuts: &[usize]) -> Heard {
    let mut codec = Codec::server(limited());
    let mut heard = Vec::new();
    let mut rest = input;
    for cut in cuts.iter().cycle() {
        let (piece, after) = rest.split_at((*cut).min(rest.len()));
        codec.on_bytes(piece);
        heard.extend(std::iter::from_fn(|| codec.poll_event()));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    heard
}

/// Frames as a client writes them: messages plain and compressed, whole and in fragments with
/// pings between, some of them too long or not text.
fn conversation() -> impl Strategy<Value = Vec<u8>> {
    let body = prop_oneof![
        4 => "\\PC{0,80}".prop_map(String::into_bytes),
        2 => prop::collection::vec(any::<u8>(), 0..300),
        1 => (any::<u8>(), 0_usize..2500).prop_map(|(byte, count)| vec![byte; count]),
    ];
    let message = (body, any::<bool>(), any::<bool>(), prop::collection::vec(0_usize..400, 0..4))
        .prop_map(|(body, is_text, compress, cuts)| message(&body, is_text, compress, &cuts));
    let control =
        (prop::sample::select(vec![PING, PONG]), prop::collection::vec(any::<u8>(), 0..126))
            .prop_map(|(first, payload)| frame(first, payload));
    let close = Just(frame(CLOSE, b"\x03\xe8bye"));
    prop::collection::vec(prop_oneof![8 => message, 3 => control, 1 => close], 0..8)
        .prop_map(|frames| frames.concat())
}

fn message(body: &[u8], is_text: bool, compress: bool, cuts: &[usize]) -> Vec<u8> {
    let compressed = deflated(body);
    let mut rest = if compress { &compressed[..] } else { body };
    let mut first = if is_text { TEXT_PART } else { BINARY_PART } | if compress { RSV1 } else { 0 };
    let mut input = Vec::new();
    for cut in cuts {
        let (piece, after) = rest.split_at((*cut).min(rest.len()));
        input.extend(frame(first, piece));
        input.extend(frame(PING, "between"));
        (first, rest) = (PART, after);
    }
    input.extend(frame(first | 0x80, rest));
    input
}
