//! Autobahn's chapter 6: text is UTF-8, and what is not is found as soon as it arrives.

use ws::{CloseCode, Codec, Error};

use crate::support::*;

const VALID: &[&str] = &[
    "",
    "Hello-µ@ßöäüàá-UTF-8!!",
    "κόσμε",
    "\u{0}",
    "\u{7f}",
    "\u{80}",
    "\u{7ff}",
    "\u{800}",
    "\u{fff}",
    "\u{1000}",
    "\u{d7ff}",
    "\u{e000}",
    "\u{fffd}",
    "\u{fffe}\u{ffff}",
    "\u{10000}",
    "\u{1fffe}",
    "\u{10ffff}",
    "𝄞🀄👩‍👩‍👧‍👦",
];

/// Prefix that may still become text, then what makes it wrong.
const INVALID: &[(&[u8], &[u8])] = &[
    // Bytes that never occur.
    (b"ok", b"\xfe"),
    (b"ok", b"\xff"),
    (b"", b"\xc0"),
    (b"", b"\xc1"),
    (b"", b"\xf5"),
    // Lonely continuation bytes.
    (b"", b"\x80"),
    (b"", b"\xbf"),
    ("κόσμε".as_bytes(), b"\x80"),
    // Lonely starts.
    (b"\xc2", b" "),
    (b"\xe0", b" "),
    (b"\xe0\xa0", b" "),
    (b"\xf0\x90", b" "),
    (b"\xf0\x90\x80", b" "),
    (b"\xc2", b"\xc2"),
    // Overlong forms.
    (b"\xe0", b"\x80"),
    (b"\xe0", b"\x9f"),
    (b"\xf0", b"\x80"),
    (b"\xf0", b"\x8f"),
    // Surrogates.
    (b"\xed", b"\xa0"),
    (b"\xed", b"\xbf"),
    // Past the last code point; five and six bytes.
    (b"\xf4", b"\x90"),
    (b"", b"\xf8"),
    (b"", b"\xfc"),
];

#[test]
fn valid_text_arrives_however_it_is_fragmented() {
    for body in VALID {
        assert_eq!(hear(plain(), &frame(TEXT, body)), [text(body)]);
        for cut in 0..=body.len() {
            let (start, end) = body.as_bytes().split_at(cut);
            let input = [frame(TEXT_PART, start), frame(PING, ""), frame(LAST, end)].concat();
            assert_eq!(hear(plain(), &input), [ping(b""), text(body)], "{body:?} cut at {cut}");
        }
    }
}

#[test]
fn each_byte_of_a_text_may_be_a_fragment() {
    let body = "Hello-µ@ßöäüàá-UTF-8!!";
    let mut input = frame(TEXT_PART, "");
    body.bytes().for_each(|byte| input.extend(frame(PART, [byte])));
    input.extend(frame(LAST, ""));
    assert_eq!(hear(plain(), &input), [text(body)]);
}

#[test]
fn invalid_text_is_refused_whole_or_in_fragments() {
    for (good, bad) in INVALID {
        let whole = frame(TEXT, [*good, bad, b"and more"].concat());
        assert_eq!(hear(plain(), &whole), [Err(Error::NotUtf8)], "{good:x?} {bad:x?}");
        let cut = [frame(TEXT_PART, good), frame(LAST, bad)].concat();
        assert_eq!(hear(plain(), &cut), [Err(Error::NotUtf8)], "{good:x?} {bad:x?}");
    }
}

#[test]
fn a_text_that_ends_inside_a_character_is_refused() {
    for body in [&b"\xc2"[..], b"\xe2\x82", b"\xf0\x9f\x80", "κόσμ\u{3b5}".as_bytes().split_at(9).0]
    {
        assert_eq!(hear(plain(), &frame(TEXT, body)), [Err(Error::NotUtf8)], "{body:x?}");
        let cut = [frame(TEXT_PART, body), frame(LAST, "")].concat();
        assert_eq!(hear(plain(), &cut), [Err(Error::NotUtf8)], "{body:x?}");
    }
}

#[test]
fn a_wrong_byte_ends_the_connection_before_its_frame_is_complete() {
    for (good, bad) in INVALID {
        let whole = frame(TEXT_PART, [*good, bad, b"never arrives"].concat());
        let arrived = whole.len() - b"never arrives".len();
        let mut codec = Codec::server(plain());
        codec.on_bytes(&whole[..arrived - 1]);
        assert_eq!(codec.poll_event(), None, "{good:x?} {bad:x?}");
        codec.on_bytes(&whole[arrived - 1..arrived]);
        assert_eq!(codec.poll_event(), Some(Err(Error::NotUtf8)), "{good:x?} {bad:x?}");
    }
}

#[test]
fn compressed_text_fails_fast_too() {
    let input = frame(TEXT_PART | RSV1, deflated(b"fine so far \xf4\x90 and more"));
    assert_eq!(hear(deflating(), &input), [Err(Error::NotUtf8)]);
}

#[test]
fn binary_messages_hold_any_bytes() {
    for (good, bad) in INVALID {
        let body = [*good, *bad].concat();
        assert_eq!(hear(plain(), &frame(BINARY, &body)), [binary(&body)]);
    }
}

#[test]
fn wrong_text_closes_with_1007() {
    assert_eq!(Error::NotUtf8.close_code(), CloseCode::INVALID_DATA);
}
