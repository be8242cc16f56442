//! The host's end of one connection: lets a core in, then hands over what it asks.

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf};
use tokio::net::UnixStream;
use wire::frame::{LinkKind, split_input};
use wire::host::{Hello, InputHead, RequestFrame};
use wire::limits::LINK_FRAME_MAX_BYTES;
use wire::{ErrorBody, ErrorCode, StoreId};

use crate::frame::FrameReader;
use crate::handshake::{self, Gate, HELLO_TIMEOUT, HelloReply};
use crate::{Frame, LinkError, Outbox, conn};

/// What a core says after the hello.
#[derive(Debug)]
pub enum Message {
    /// A request; what is not known here is `Request::Unknown`.
    Request(RequestFrame),
    /// Input, which is answered by events.
    Input {
        /// Who types what where.
        head: InputHead,
        /// The bytes.
        bytes: Bytes,
    },
}

/// One core that was let in.
#[derive(Debug)]
pub struct HostConn<S> {
    /// What the core said about itself. Its secret is blanked.
    pub hello: Hello,
    /// Where answers, events and output go.
    pub outbox: Outbox,
    reader: FrameReader<ReadHalf<S>>,
}

impl HostConn<UnixStream> {
    /// Lets a core in, or says why not. Takes at most [`HELLO_TIMEOUT`].
    ///
    /// # Errors
    ///
    /// Whatever makes the connection unfit; it is closed then.
    pub async fn accept(
        stream: UnixStream,
        gate: &Gate,
        myself: &HelloReply,
        bind: impl FnOnce(StoreId) -> Result<(), ErrorBody>,
    ) -> Result<Self, LinkError> {
        handshake::check_peer(stream.peer_cred()?.uid(), &gate.allowed_uids)?;
        Self::over(stream, gate, myself, bind).await
    }
}

impl<S: AsyncRead + AsyncWrite + Send + 'static> HostConn<S> {
    /// The same over any stream whose peer is known to be allowed.
    ///
    /// # Errors
    ///
    /// As [`HostConn::accept`].
    pub async fn over(
        stream: S,
        gate: &Gate,
        myself: &HelloReply,
        bind: impl FnOnce(StoreId) -> Result<(), ErrorBody>,
    ) -> Result<Self, LinkError> {
        let (read, mut write) = tokio::io::split(stream);
        let mut reader = FrameReader::new(read);
        let greeting = handshake::answer(&mut reader, &mut write, gate, myself, bind);
        let mut hello = tokio::time::timeout(HELLO_TIMEOUT, greeting)
            .await
            .map_err(|_elapsed| LinkError::Timeout)??;
        hello.secret.clear();
        let outbox = Outbox::default();
        tokio::spawn(conn::write_all(outbox.clone(), write));
        Ok(Self { hello, outbox, reader })
    }

    /// What the core says next; none when it has gone. Dropping the future loses nothing.
    ///
    /// A request that does not parse is answered `bad_message` here and not returned.
    ///
    /// # Errors
    ///
    /// Whatever ends the connection.
    pub async fn next(&mut self) -> Result<Option<Message>, LinkError> {
        loop {
            let frame = tokio::select! {
                frame = self.reader.next(LINK_FRAME_MAX_BYTES) => frame?,
                () = self.outbox.closed() => None,
            };
            let Some((kind, payload)) = frame else { return Ok(None) };
            match kind {
                LinkKind::Control => {
                    if let Some(request) = self.request(&payload)? {
                        return Ok(Some(Message::Request(request)));
                    }
                }
                LinkKind::Input => {
                    let (_request, head, bytes) = split_input(&payload)?;
                    let head = serde_json::from_slice(head)
                        .map_err(|error| LinkError::Unexpected(error.to_string()))?;
                    return Ok(Some(Message::Input { head, bytes: payload.slice_ref(bytes) }));
                }
                LinkKind::Output | LinkKind::Bulk => {
                    return Err(LinkError::Unexpected(format!("{kind:?} from a core")));
                }
            }
        }
    }

    fn request(&self, payload: &Bytes) -> Result<Option<RequestFrame>, LinkError> {
        /// Enough of a request to answer it.
        #[derive(serde::Deserialize)]
        struct Envelope {
            id: u32,
        }

        let error = match handshake::parse::<RequestFrame>(payload) {
            Ok(request) => return Ok(Some(request)),
            Err(error) => error,
        };
        let Envelope { id } = handshake::parse(payload)?;
        let body = ErrorBody::new(ErrorCode::BadMessage, error.to_string());
        // A closed outbox is seen by the next read.
        self.outbox.urgent(Frame::reply(id, Err(body))).map_err(|_closed| LinkError::Closed)?;
        Ok(None)
    }
}

impl<S> Drop for HostConn<S> {
    fn drop(&mut self) {
        self.outbox.close();
    }
}
