//! tungstenite at the far end of a wire in memory.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::rc::Rc;

use tungstenite::protocol::frame::coding::CloseCode as TheirCode;
use tungstenite::protocol::{CloseFrame, Role};
use tungstenite::{Message, WebSocket};
use ws::{Close, CloseCode, Codec, ControlPayload, Event, Frame};

use crate::support::*;

#[test]
fn a_tungstenite_client_talks_to_our_server() {
    let (mut client, mut server) = connect(Role::Client, Codec::server(plain()));
    for size in [0, 125, 126, 65535, 65536, 1 << 20] {
        client.send(Message::text("é".repeat(size / 2))).unwrap();
        assert_eq!(server.hear(), [text(&"é".repeat(size / 2))]);
        client.send(Message::binary(vec![0xfe; size])).unwrap();
        assert_eq!(server.hear(), [binary(&vec![0xfe; size])]);

        server.send(&Frame::text("é".repeat(size / 2)));
        assert_eq!(client.read().unwrap(), Message::text("é".repeat(size / 2)));
        server.send(&Frame::binary(vec![0xfe; size]));
        assert_eq!(client.read().unwrap(), Message::binary(vec![0xfe; size]));
    }
}

#[test]
fn our_client_talks_to_a_tungstenite_server() {
    let (mut server, mut client) = connect(Role::Server, Codec::client(plain()));
    for size in [0, 125, 126, 65535, 65536, 1 << 20] {
        client.send(&Frame::text("x".repeat(size)).masked([1, 2, 3, 4]));
        assert_eq!(server.read().unwrap(), Message::text("x".repeat(size)));
        server.send(Message::text("y".repeat(size))).unwrap();
        assert_eq!(client.hear(), [text(&"y".repeat(size))]);
    }
}

#[test]
fn pings_are_answered_both_ways() {
    let (mut client, mut server) = connect(Role::Client, Codec::server(plain()));
    server.send(&Frame::ping(ControlPayload::from(4711)));
    assert!(client.read().unwrap().is_ping());
    client.flush().unwrap();
    let heard = server.hear();
    let [Ok(Event::Pong(payload))] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(payload.as_u64(), Some(4711));

    client.send(Message::Ping(vec![1, 2, 3].into())).unwrap();
    assert_eq!(server.hear(), [ping(&[1, 2, 3])]);
}

#[test]
fn closing_ends_both_ways() {
    let (mut client, mut server) = connect(Role::Client, Codec::server(plain()));
    let frame = server.codec.close(&Close::new(CloseCode::new(4010).unwrap(), "session lost"));
    server.send(&frame.unwrap());
    let Message::Close(Some(CloseFrame { code, reason })) = client.read().unwrap() else {
        panic!("no close")
    };
    assert_eq!((code, reason.as_str()), (TheirCode::Library(4010), "session lost"));
    client.flush().unwrap();
    let heard = server.hear();
    let [Ok(Event::Close(close))] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(close.code().map(CloseCode::get), Some(4010));

    let (mut client, mut server) = connect(Role::Client, Codec::server(plain()));
    client.close(None).unwrap();
    assert_eq!(server.hear(), [Ok(Event::Close(Close::default()))]);
    let frame = server.codec.close(&Close::default().reply());
    server.send(&frame.unwrap());
    assert!(client.read().unwrap().is_close());
}

/// Our end of the wire.
struct Ours {
    codec: Codec,
    wire: Rc<RefCell<Wire>>,
}

impl Ours {
    fn send(&self, frame: &Frame) {
        let mut wire = self.wire.borrow_mut();
        wire.to_them.extend(frame.head());
        wire.to_them.extend(frame.body());
    }

    fn hear(&mut self) -> Heard {
        let bytes = std::mem::take(&mut self.wire.borrow_mut().to_us);
        self.codec.on_bytes(&bytes);
        std::iter::from_fn(|| self.codec.poll_event()).collect()
    }
}

#[derive(Default)]
struct Wire {
    to_us: Vec<u8>,
    to_them: VecDeque<u8>,
}

/// Their end of the wire: it has no more bytes than have been sent.
struct Theirs(Rc<RefCell<Wire>>);

impl Read for Theirs {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.borrow_mut().to_them.read(buffer)? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            count => Ok(count),
        }
    }
}

impl Write for Theirs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().to_us.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn connect(role: Role, codec: Codec) -> (WebSocket<Theirs>, Ours) {
    let wire = Rc::new(RefCell::new(Wire::default()));
    let theirs = WebSocket::from_raw_socket(Theirs(Rc::clone(&wire)), role, None);
    (theirs, Ours { codec, wire })
}
