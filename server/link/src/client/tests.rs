//! Both ends together over an in-memory stream.

use tokio::io::{AsyncWriteExt, DuplexStream};
use wire::browser::{CallerKind, Exit};
use wire::host::{By, HostEvent, JoinHead, LeaseFacts, MarkKind};
use wire::{CallerId, ErrorBody, ErrorCode, HostId, Span, StoreId, ViewerId};

use super::*;
use crate::handshake::Gate;
use crate::{HostConn, Message};

const SECRET: &str = "5ec2e7";

fn session(n: u8) -> SessionId {
    SessionId::from_random([n; 16])
}

fn hello(secret: &str) -> Hello {
    Hello {
        link: 1,
        features: Vec::new(),
        build: "test".to_owned(),
        store: StoreId::from_random([1; 16]),
        secret: secret.to_owned(),
    }
}

fn myself() -> HelloReply {
    HelloReply {
        link: 1,
        features: vec!["spool".to_owned()],
        build: "test".to_owned(),
        host: HostId::from_random([2; 16]),
        boot: "b".to_owned(),
    }
}

fn gate() -> Gate {
    Gate { allowed_uids: vec![0], secret: SECRET.to_owned() }
}

async fn pair() -> (Client, HostConn<DuplexStream>) {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let (gate, myself) = (gate(), myself());
    let (client, host) = tokio::join!(
        Client::over(near, hello(SECRET)),
        HostConn::over(far, &gate, &myself, |_store| Ok(()))
    );
    let (client, reply) = client.unwrap();
    assert_eq!(reply, myself);
    (client, host.unwrap())
}

fn facts(session: SessionId) -> SessionFacts {
    SessionFacts {
        session,
        profile: "shell".to_owned(),
        command: "sh".to_owned(),
        args: Vec::new(),
        cwd: "/".to_owned(),
        pid: None,
        exit: None,
        cols: 80,
        rows: 24,
        started_at_ms: 0,
        ring_from: Seq::ZERO,
        end: Seq::ZERO,
        durable: Seq::ZERO,
        mark: 0,
        resized_at: Seq::ZERO,
        title: None,
        lease: LeaseFacts::default(),
        modes: wire::browser::Modes::default(),
    }
}

async fn request(host: &mut HostConn<DuplexStream>) -> RequestFrame {
    match host.next().await.unwrap() {
        Some(Message::Request(frame)) => frame,
        other => panic!("no request but {other:?}"),
    }
}

async fn refused(secret: &str, bound: Result<(), ErrorBody>) -> ErrorCode {
    let (near, far) = tokio::io::duplex(1024);
    let (gate, myself) = (gate(), myself());
    let (client, host) = tokio::join!(
        Client::over(near, hello(secret)),
        HostConn::over(far, &gate, &myself, |_store| bound)
    );
    assert!(matches!(host, Err(LinkError::Refused(_))));
    match client {
        Err(LinkError::Refused(error)) => error.code,
        other => panic!("let in: {other:?}"),
    }
}

#[tokio::test]
async fn a_wrong_secret_or_another_store_is_refused() {
    assert_eq!(refused("wrong", Ok(())).await, ErrorCode::BadSecret);
    let other = Err(ErrorBody::new(ErrorCode::WrongStore, "serves another"));
    assert_eq!(refused(SECRET, other.clone()).await, ErrorCode::WrongStore);
    // With a wrong secret the store is not even looked at.
    assert_eq!(refused("", other).await, ErrorCode::BadSecret);
}

#[tokio::test]
async fn what_is_no_hello_gets_no_answer() {
    let (mut near, far) = tokio::io::duplex(1024);
    let ping = Frame::request(&RequestFrame { id: 1, request: Request::Ping });
    near.write_all(ping.head_slice()).await.unwrap();
    near.write_all(&ping.body).await.unwrap();
    let host = HostConn::over(far, &gate(), &myself(), |_store| Ok(())).await;
    assert!(matches!(host, Err(LinkError::Unexpected(_))));
}

#[tokio::test]
async fn an_unknown_request_reaches_the_host_as_such_and_broken_ones_are_answered() {
    let (client, mut host) = pair().await;
    let ask = client.request(Request::Unknown);
    let serve = async {
        // `do` is missing; answered by the link, which then returns the next request.
        let frame = request(&mut host).await;
        assert_eq!(frame.request, Request::Unknown);
        let error = ErrorBody::new(ErrorCode::Unsupported, "not known here");
        host.outbox.urgent(Frame::reply(frame.id, Err(error))).unwrap();
    };
    let (answer, ()) = tokio::join!(ask, serve);
    assert!(matches!(answer, Err(CallError::Refused(body)) if body.code == ErrorCode::Unsupported));
}

#[tokio::test]
async fn a_join_arrives_exactly_where_it_stands_in_the_output() {
    let (client, mut host) = pair().await;
    let serve = async {
        let attach = request(&mut host).await;
        let reply =
            Reply::Attached { handle: 9, from: Seq::ZERO, session: Box::new(facts(session(1))) };
        host.outbox.push(9, Frame::reply(attach.id, Ok(reply))).unwrap();
        host.outbox.push(9, Frame::output(9, Seq(2), 5, Bytes::from_static(b"ab"))).unwrap();
        let join = request(&mut host).await;
        let head = JoinHead { bytes: 3, ..crate::frame::tests::join_head(2) };
        host.outbox.push(9, Frame::join(join.id, head)).unwrap();
        host.outbox.push(9, Frame::bulk(join.id, false, Bytes::from_static(b"sc"))).unwrap();
        host.outbox.push(9, Frame::bulk(join.id, true, Bytes::from_static(b"r"))).unwrap();
        host.outbox.push(9, Frame::output(9, Seq(3), 6, Bytes::from_static(b"c"))).unwrap();
        let exited = HostEvent::Exited { session: session(1), exit: Exit::Code(0), seq: Seq(3) };
        host.outbox.push(9, Frame::event(exited)).unwrap();
        host
    };
    let follow = async {
        let (attached, mut events) = client.attach(session(1), Seq::ZERO, 0).await.unwrap();
        assert_eq!(attached.from, Seq::ZERO);
        client.join(session(1), Scope::Full).unwrap();
        let mut seen = Vec::new();
        while seen.len() < 4 {
            seen.push(events.recv().await.unwrap());
        }
        (seen, events)
    };
    let (host, (seen, mut events)) = tokio::join!(serve, follow);
    let expected_head = JoinHead { bytes: 3, ..crate::frame::tests::join_head(2) };
    assert_eq!(
        seen,
        [
            SessionEvent::Output { end: Seq(2), at_ms: 5, bytes: Bytes::from_static(b"ab") },
            SessionEvent::Join { head: expected_head, bytes: Bytes::from_static(b"scr") },
            SessionEvent::Output { end: Seq(3), at_ms: 6, bytes: Bytes::from_static(b"c") },
            SessionEvent::Exited { exit: Exit::Code(0), seq: Seq(3) },
        ]
    );
    drop(host);
    client.closed().await;
    assert_eq!(events.recv().await, Some(SessionEvent::Closed));
    assert_eq!(events.recv().await, None);
}

#[tokio::test]
async fn a_read_brings_bytes_and_marks() {
    let (client, mut host) = pair().await;
    let mark = Mark { n: 1, seq: Seq(4), at_ms: 7, kind: MarkKind::Start { cols: 80, rows: 24 } };
    let marks = vec![mark.clone()];
    let serve = async {
        let frame = request(&mut host).await;
        let reply = Reply::Read { from: Seq(4), to: Seq(6), at_ms: 7, marks };
        host.outbox.push(1, Frame::reply(frame.id, Ok(reply))).unwrap();
        host.outbox.push(1, Frame::bulk(frame.id, true, Bytes::from_static(b"hi"))).unwrap();
    };
    let (read, ()) = tokio::join!(client.read(session(1), Seq(4), 0, 1024), serve);
    let (head, bytes) = read.unwrap();
    assert_eq!((head.to, head.marks, bytes), (Seq(6), vec![mark], Bytes::from_static(b"hi")));
}

#[tokio::test]
async fn a_broken_link_resolves_every_call() {
    let (client, mut host) = pair().await;
    let serve = async {
        request(&mut host).await;
        drop(host);
    };
    let (answer, ()) = tokio::join!(client.request(Request::List), serve);
    assert_eq!(answer, Err(CallError::Closed));
    assert_eq!(client.request(Request::Ping).await, Err(CallError::Closed));
    assert_eq!(client.send(Request::Ping), Err(CallError::Closed));
    assert!(client.attach(session(1), Seq::ZERO, 0).await.is_err());
}

#[tokio::test]
async fn the_last_client_closes_the_link() {
    let (client, mut host) = pair().await;
    let other = client.clone();
    drop(client);
    assert!(!other.is_closed());
    drop(other);
    assert!(host.next().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_host_that_does_not_answer_meets_the_deadline() {
    let (client, _host) = pair().await;
    assert_eq!(client.request(Request::Ping).await, Err(CallError::Timeout));
    assert_eq!(client.read(session(1), Seq::ZERO, 0, 1).await, Err(CallError::Timeout));
}

#[tokio::test]
async fn input_arrives_whole_and_too_much_of_it_is_busy() {
    let (client, mut host) = pair().await;
    let head = InputHead {
        session: session(1),
        by: By {
            caller: CallerId::from_random([3; 16]),
            viewer: ViewerId::from_random([4; 16]),
            name: "ada".to_owned(),
            kind: CallerKind::Person,
            owner: true,
        },
        paste: None,
        epoch: 1,
        run: 0,
        id: Some(1),
    };
    client.input(&head, &Bytes::from_static(b"ls\r")).unwrap();
    let Some(Message::Input { head: got, bytes }) = host.next().await.unwrap() else {
        panic!("no input")
    };
    assert_eq!((got, bytes), (head.clone(), Bytes::from_static(b"ls\r")));
    let large = Bytes::from(vec![b'x'; 1024 * 1024]);
    let taken = (0..8).take_while(|_| client.input(&head, &large).is_ok()).count();
    assert!((2..=4).contains(&taken), "{taken} MiB were taken");
    for _ in 0..taken {
        assert!(matches!(host.next().await.unwrap(), Some(Message::Input { .. })));
    }
}

#[tokio::test]
async fn skipped_output_is_said() {
    let (client, mut host) = pair().await;
    let serve = async {
        let attach = request(&mut host).await;
        let reply =
            Reply::Attached { handle: 2, from: Seq::ZERO, session: Box::new(facts(session(1))) };
        host.outbox.push(2, Frame::reply(attach.id, Ok(reply))).unwrap();
        let span = Span { from: Seq(0), to: Seq(9) };
        host.outbox.push(2, Frame::skip(session(1), span)).unwrap();
        host
    };
    let follow = async {
        let (_attached, mut events) = client.attach(session(1), Seq::ZERO, 0).await.unwrap();
        events.recv().await
    };
    let (_host, event) = tokio::join!(serve, follow);
    assert_eq!(event, Some(SessionEvent::Skip { from: Seq(0), to: Seq(9) }));
}
