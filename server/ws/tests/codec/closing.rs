//! Autobahn's chapter 7: closing.

use ws::{Close, CloseCode, Codec, Error, Event, Frame};

use crate::support::*;

#[test]
fn nothing_is_heard_after_a_close() {
    let bye = frame(CLOSE, [0x03, 0xe8]);
    for after in
        [&bye, &frame(PING, ""), &frame(TEXT, "late"), &frame(LAST, "late"), &b"\xff".to_vec()]
    {
        let input = [frame(TEXT, "hello"), bye.clone(), after.clone()].concat();
        assert_eq!(hear(plain(), &input), [text("hello"), close(1000, "")]);
    }
}

#[test]
fn a_close_may_come_inside_a_message() {
    let input =
        [frame(TEXT_PART, "frag"), frame(CLOSE, [0x03, 0xe8]), frame(LAST, "ment")].concat();
    assert_eq!(hear(plain(), &input), [close(1000, "")]);
}

#[test]
fn a_close_after_a_large_message_is_heard_in_order() {
    let body = vec![1; 256 << 10];
    let input = [frame(BINARY, &body), frame(CLOSE, ""), frame(PING, "")].concat();
    let heard = hear_in(plain(), &input, 4096);
    assert_eq!(heard, [binary(&body), Ok(Event::Close(Close::default()))]);
}

#[test]
fn payloads_of_a_close_are_judged() {
    let longest = "*".repeat(123);
    let rows = [
        (vec![], Ok(Event::Close(Close::default()))),
        (b"a".to_vec(), Err(Error::HalfCloseCode)),
        (b"\x03\xe8".to_vec(), close(1000, "")),
        (b"\x03\xe8Hello World!".to_vec(), close(1000, "Hello World!")),
        ([b"\x03\xe8", longest.as_bytes()].concat(), close(1000, &longest)),
        (vec![0x03; 126], Err(Error::LongControl)),
        (b"\x03\xe8\xce\xba\xe1\xbd\xb9\xed\xa0\x80".to_vec(), Err(Error::NotUtf8)),
    ];
    for (payload, heard) in rows {
        assert_eq!(hear(plain(), &frame(CLOSE, &payload)), [heard], "{payload:x?}");
    }
}

#[test]
fn codes_are_taken_or_refused_as_the_registry_says() {
    let valid = [1000_u16, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014];
    for code in valid.into_iter().chain([3000, 3999, 4000, 4001, 4003, 4010, 4999]) {
        assert_eq!(hear(plain(), &frame(CLOSE, code.to_be_bytes())), [close(code, "")]);
    }
    for code in [0_u16, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] {
        let heard = [Err(Error::BadCloseCode(code))];
        assert_eq!(hear(plain(), &frame(CLOSE, code.to_be_bytes())), heard);
    }
}

#[test]
fn a_close_is_answered_once() {
    let mut codec = Codec::server(plain());
    codec.on_bytes(&frame(CLOSE, b"\x0f\xa1superseded"));
    let Some(Ok(Event::Close(received))) = codec.poll_event() else { panic!("no close") };
    assert_eq!(
        (received.code().map(CloseCode::get), received.reason()),
        (Some(4001), "superseded")
    );
    let reply = codec.close(&received.reply()).unwrap();
    assert_eq!((reply.head(), &reply.body()[..]), (&b"\x88\x02"[..], &b"\x0f\xa1"[..]));
    assert_eq!(codec.close(&received.reply()), None);
    assert!(codec.is_closing() && codec.is_ended());
}

#[test]
fn our_own_close_is_not_sent_again_when_the_peer_answers() {
    let mut codec = Codec::server(plain());
    let going = Close::new(CloseCode::GOING_AWAY, "restart");
    assert_eq!(codec.close(&going), Some(Frame::close(&going)));
    // What the peer sent before it saw our close still arrives.
    codec.on_bytes(&[frame(TEXT, "in flight"), frame(CLOSE, [0x03, 0xe9])].concat());
    assert_eq!(codec.poll_event(), Some(text("in flight")));
    let Some(Ok(Event::Close(answer))) = codec.poll_event() else { panic!("no close") };
    assert_eq!(codec.close(&answer.reply()), None);
}

#[test]
fn an_error_becomes_a_close_that_names_it() {
    let close = Close::from(Error::TooBig { limit_bytes: 16 });
    assert_eq!(close.code(), Some(CloseCode::TOO_BIG));
    assert_eq!(close.reason(), "message longer than 16 bytes");
}
