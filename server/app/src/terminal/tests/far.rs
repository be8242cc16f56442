//! The far end of a viewer's socket.

use std::sync::Arc;

use bytes::Bytes;
use link::{Client, Gate, HelloReply, HostConn};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::oneshot;
use wire::browser::CallerKind;
use wire::host::{By, Hello};
use wire::{CallerId, HostId, Seq, StoreId, ViewerId};
use ws::{Codec, Event, Frame};

use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::frame::Encoding;
use crate::hub::hub::Hub;
use crate::shutdown::Shutdown;
use crate::terminal::socket::{self, Around, Opening};

/// How a socket is opened.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) text: bool,
    pub(super) read_only: bool,
    pub(super) viewer: u8,
    pub(super) has: Option<Seq>,
    /// The hub that `reopen` finds.
    pub(super) next: Option<Arc<Hub>>,
}

/// The far end.
pub(super) struct Far {
    stream: DuplexStream,
    codec: Codec,
    /// Whether it answers pings.
    pub(super) pongs: bool,
    pub(super) shutdown: Shutdown,
    pub(super) sign_out: Option<oneshot::Sender<()>>,
}

impl Far {
    pub(super) fn open(hub: &Arc<Hub>, setup: Setup) -> Self {
        let (near, stream) = tokio::io::duplex(4 * 1024 * 1024);
        let Setup { text, read_only, viewer, has, next } = setup;
        let encoding = if text { Encoding::Json } else { Encoding::Binary };
        let opening = Opening {
            by: by(viewer),
            read_only,
            has,
            hidden: false,
            acks: !text,
            encoding,
            codec: Codec::server(ws::Config::default()),
            hub: Arc::clone(hub),
            early: Bytes::new(),
        };
        let (sign_out, signed_out) = oneshot::channel();
        let shutdown = Shutdown::default();
        let around = Around {
            clock: Clock,
            shutdown: shutdown.clone(),
            signed_out: Box::pin(async move {
                if signed_out.await.is_err() {
                    std::future::pending().await
                }
            }),
            reopen: Box::new(move |_| {
                let next = next.clone();
                Box::pin(async move { next.ok_or_else(|| ApiError::not_found("session")) })
            }),
        };
        tokio::spawn(socket::run(near, opening, around));
        Self {
            stream,
            codec: Codec::client(ws::Config::default()),
            pongs: true,
            shutdown,
            sign_out: Some(sign_out),
        }
    }

    pub(super) async fn say(&mut self, text: &str) {
        self.write(Frame::text(text.to_owned())).await;
    }

    async fn write(&mut self, frame: Frame) {
        let frame = frame.masked([1, 2, 3, 4]);
        self.stream.write_all(frame.head()).await.unwrap();
        self.stream.write_all(frame.body()).await.unwrap();
    }

    /// What comes next; none at the end.
    async fn next(&mut self) -> Option<Event> {
        let mut bytes = vec![0; 16 * 1024];
        loop {
            match self.codec.poll_event() {
                Some(Ok(Event::Ping(payload))) if self.pongs => {
                    self.write(Frame::pong(payload)).await;
                }
                Some(Ok(Event::Ping(_) | Event::Pong(_))) => {}
                Some(event) => return Some(event.unwrap()),
                None => match self.stream.read(&mut bytes).await.unwrap() {
                    0 => return None,
                    length => self.codec.on_bytes(&bytes[..length]),
                },
            }
        }
    }

    /// The next text message.
    pub(super) async fn text(&mut self) -> Value {
        loop {
            match self.next().await {
                Some(Event::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Some(Event::Binary(_)) => {}
                other => panic!("no text but {other:?}"),
            }
        }
    }

    /// The next text message of a kind.
    pub(super) async fn message(&mut self, kind: &str) -> Value {
        loop {
            let message = self.text().await;
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The next binary message.
    pub(super) async fn binary(&mut self) -> Vec<u8> {
        loop {
            match self.next().await {
                Some(Event::Binary(bytes)) => return bytes.to_vec(),
                Some(Event::Text(_)) => {}
                other => panic!("nothing binary but {other:?}"),
            }
        }
    }

    /// The next output frame.
    pub(super) async fn output(&mut self) -> (Seq, Vec<u8>) {
        let frame = self.binary().await;
        let (head, bytes) = frame.split_first_chunk::<9>().unwrap();
        assert_eq!(head[0], 1, "an output frame");
        (Seq(u64::from_be_bytes(head[1..].try_into().unwrap())), bytes.to_vec())
    }

    /// Whether nothing binary comes while everything that can run does.
    pub(super) async fn is_quiet(&mut self) -> bool {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        self.say(r#"{"type":"ping","t":7}"#).await;
        loop {
            match self.next().await {
                Some(Event::Text(text)) if text.contains("pong") => return true,
                Some(Event::Text(_)) => {}
                _ => return false,
            }
        }
    }

    /// The close code.
    pub(super) async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Some(Event::Close(close)) => return close.code().unwrap().get(),
                Some(_) => {}
                None => panic!("it ended without a close"),
            }
        }
    }

    /// Waits until the socket has ended.
    pub(super) async fn ended(&mut self) {
        while self.next().await.is_some() {}
    }
}

/// A host, as far as a link is concerned.
pub(super) async fn host() -> (Client, HostConn<DuplexStream>) {
    let (near, far) = tokio::io::duplex(4 * 1024 * 1024);
    let gate = Gate { allowed_uids: vec![0], secret: "5ec2e7".to_owned() };
    let myself = HelloReply {
        link: 1,
        features: Vec::new(),
        build: "test".to_owned(),
        host: HostId::from_random([2; 16]),
        boot: "b".to_owned(),
    };
    let hello = Hello {
        link: 1,
        features: Vec::new(),
        build: "test".to_owned(),
        store: StoreId::from_random([1; 16]),
        secret: "5ec2e7".to_owned(),
    };
    let (client, host) = tokio::join!(
        Client::over(near, hello),
        HostConn::over(far, &gate, &myself, |_store| Ok(()))
    );
    (client.unwrap().0, host.unwrap())
}

fn by(viewer: u8) -> By {
    By {
        caller: CallerId::from_random([7; 16]),
        viewer: ViewerId::from_random([viewer; 16]),
        name: "ana".to_owned(),
        kind: CallerKind::Person,
        owner: true,
    }
}
