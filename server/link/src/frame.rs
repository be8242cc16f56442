//! Frames: made to be sent, and taken apart as they arrive.
//!
//! A frame is `u32` length of what follows, `u8` kind, payload. A declared length is only a claim:
//! memory grows with the bytes that really arrive, never with the claim.

use bytes::{Buf, Bytes, BytesMut};
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncReadExt};
use wire::frame::{
    BULK_HEAD_BYTES, BulkHead, FrameError, LINK_HEAD_BYTES, LinkKind, OUTPUT_HEAD_BYTES,
    OutputHead, input_head, link_head,
};
use wire::host::{HostEvent, HostFrame, InputHead, JoinHead, Reply, RequestFrame};
use wire::{ErrorBody, Seq, SessionId, Span};

use crate::LinkError;

/// Room for the longest binary head: link head and output head.
const HEAD_ROOM: usize = LINK_HEAD_BYTES + OUTPUT_HEAD_BYTES;
/// What is asked of the socket at once.
const READ_BYTES: usize = 64 * 1024;

/// A frame to send: a small head, and the bytes as they were given, not copied.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(crate) head: [u8; HEAD_ROOM],
    /// How much of `head` is used.
    pub(crate) head_bytes: usize,
    pub(crate) body: Bytes,
    /// What of a session's output it covers: output frames, and skips of them.
    pub(crate) span: Option<Span>,
    /// It stands at an offset: output before it must still be sent.
    pub(crate) barrier: bool,
}

impl Frame {
    fn new(kind: LinkKind, extra: &[u8], body: Bytes) -> Self {
        let mut head = [0; HEAD_ROOM];
        let head_bytes = LINK_HEAD_BYTES + extra.len();
        head[..LINK_HEAD_BYTES].copy_from_slice(&link_head(kind, extra.len() + body.len()));
        head[LINK_HEAD_BYTES..head_bytes].copy_from_slice(extra);
        Self { head, head_bytes, body, span: None, barrier: false }
    }

    fn json(value: &impl Serialize) -> Self {
        let text = serde_json::to_vec(value).expect("wire types have string keys only");
        Self::new(LinkKind::Control, &[], text.into())
    }

    /// A request.
    pub fn request(request: &RequestFrame) -> Self {
        Self::json(request)
    }

    /// An answer.
    pub fn reply(id: u32, reply: Result<Reply, ErrorBody>) -> Self {
        Self::json(&HostFrame::Reply { id, reply })
    }

    /// The head of a join. It stands at exactly the output before it, which no skip may take away.
    pub fn join(id: u32, head: JoinHead) -> Self {
        Self { barrier: true, ..Self::reply(id, Ok(Reply::Join(head))) }
    }

    /// Something that happened.
    pub fn event(event: HostEvent) -> Self {
        Self::json(&HostFrame::Event { event })
    }

    /// Output that will not be sent. Takes the place of the frames that held it.
    pub fn skip(session: SessionId, span: Span) -> Self {
        let event = HostEvent::Skip { session, from: span.from, to: span.to };
        Self { span: Some(span), ..Self::event(event) }
    }

    /// Output of a session that ends at `end`.
    pub fn output(handle: u32, end: Seq, at_ms: u64, bytes: Bytes) -> Self {
        let from = end.back(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let head = OutputHead { handle, end, at_ms }.to_bytes();
        Self { span: Some(Span { from, to: end }), ..Self::new(LinkKind::Output, &head, bytes) }
    }

    /// A part of a reply's bytes.
    pub fn bulk(request: u32, last: bool, bytes: Bytes) -> Self {
        let head: [u8; BULK_HEAD_BYTES] = BulkHead { request, last }.to_bytes();
        Self::new(LinkKind::Bulk, &head, bytes)
    }

    /// Input. Its bytes are copied: they are few, and stand after a JSON head.
    pub fn input(request: u32, head: &InputHead, bytes: &[u8]) -> Self {
        let json = serde_json::to_vec(head).expect("wire types have string keys only");
        let mut body = input_head(request, &json);
        body.extend_from_slice(bytes);
        Self::new(LinkKind::Input, &[], body.into())
    }

    pub(crate) fn head_slice(&self) -> &[u8] {
        self.head.get(..self.head_bytes).unwrap_or_default()
    }

    /// What it takes on the wire.
    pub fn len(&self) -> usize {
        self.head_bytes + self.body.len()
    }

    /// Never: every frame has a head.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Takes frames from a stream.
#[derive(Debug)]
pub struct FrameReader<R> {
    stream: R,
    buffer: BytesMut,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// Reads from `stream`.
    pub fn new(stream: R) -> Self {
        Self { stream, buffer: BytesMut::new() }
    }

    /// The next frame of at most `most` bytes; none when the stream ended between two. Dropping the
    /// future loses nothing.
    ///
    /// The payload is copied out of the read buffer: whoever keeps ten bytes of an idle session
    /// must not keep 64 KiB of a flooding one alive.
    ///
    /// # Errors
    ///
    /// [`LinkError::TooLong`], [`LinkError::Frame`] and [`LinkError::Cut`] end the connection.
    pub async fn next(&mut self, most: u64) -> Result<Option<(LinkKind, Bytes)>, LinkError> {
        loop {
            if let Some(frame) = self.take(most)? {
                return Ok(Some(frame));
            }
            self.buffer.reserve(READ_BYTES);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(LinkError::Cut) };
            }
        }
    }

    fn take(&mut self, most: u64) -> Result<Option<(LinkKind, Bytes)>, LinkError> {
        let Some((head, rest)) = self.buffer.split_first_chunk::<4>() else { return Ok(None) };
        let declared = u32::from_be_bytes(*head);
        if u64::from(declared) > most {
            return Err(LinkError::TooLong { bytes: u64::from(declared), most });
        }
        let declared = usize::try_from(declared).map_err(|_| FrameError::Short)?;
        if declared == 0 {
            return Err(FrameError::Short.into());
        }
        let Some((&kind, _)) = rest.split_first() else { return Ok(None) };
        let kind = LinkKind::from_byte(kind)?;
        let Some(payload) = rest.get(1..declared) else { return Ok(None) };
        let payload = Bytes::copy_from_slice(payload);
        self.buffer.advance(4 + declared);
        Ok(Some((kind, payload)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use tokio::io::AsyncWriteExt;
    use wire::browser::{Modes, Scope};
    use wire::limits;

    use super::*;

    pub(crate) fn join_head(seq: u64) -> JoinHead {
        JoinHead {
            seq: Seq(seq),
            cols: 80,
            rows: 24,
            scope: Scope::Replay,
            from: Seq::ZERO,
            bytes: 0,
            modes: Modes::default(),
        }
    }

    /// A frame as it stands on the wire.
    fn on_the_wire(frame: &Frame) -> Vec<u8> {
        [&frame.head[..frame.head_bytes], &frame.body].concat()
    }

    async fn read_all(bytes: &[u8], most: u64) -> Vec<Result<(LinkKind, Bytes), LinkError>> {
        let mut reader = FrameReader::new(bytes);
        let mut out = Vec::new();
        loop {
            match reader.next(most).await {
                Ok(Some(frame)) => out.push(Ok(frame)),
                Ok(None) => return out,
                Err(error) => {
                    out.push(Err(error));
                    return out;
                }
            }
        }
    }

    #[tokio::test]
    async fn a_frame_arrives_whole_one_byte_at_a_time() {
        let frames = [
            Frame::output(7, Seq(5), 9, Bytes::from_static(b"hello")),
            Frame::bulk(3, true, Bytes::new()),
            Frame::reply(1, Ok(Reply::Done)),
        ];
        let wire: Vec<u8> = frames.iter().flat_map(on_the_wire).collect();
        let (mut near, far) = tokio::io::duplex(1);
        let send = async move {
            for byte in wire {
                near.write_all(&[byte]).await.unwrap();
            }
        };
        let receive = async move {
            let mut reader = FrameReader::new(far);
            let mut kinds = Vec::new();
            while let Some((kind, payload)) = reader.next(1024).await.unwrap() {
                kinds.push((kind, payload.len()));
            }
            kinds
        };
        let ((), kinds) = tokio::join!(send, receive);
        assert_eq!(kinds[0], (LinkKind::Output, 25));
        assert_eq!(kinds[1], (LinkKind::Bulk, 5));
        assert_eq!(kinds[2].0, LinkKind::Control);
    }

    #[tokio::test]
    async fn half_a_frame_and_then_the_end_is_an_error() {
        let wire = on_the_wire(&Frame::bulk(3, true, Bytes::from_static(b"abc")));
        for cut in 1..wire.len() {
            let got = read_all(&wire[..cut], 1024).await;
            assert!(matches!(got.as_slice(), [Err(LinkError::Cut)]), "cut at {cut}: {got:?}");
        }
    }

    #[tokio::test]
    async fn a_length_of_nothing_or_past_the_limit_is_refused_at_once() {
        let got = read_all(&[0, 0, 0, 0], 1024).await;
        assert!(matches!(got.as_slice(), [Err(LinkError::Frame(FrameError::Short))]));
        let got = read_all(&[255, 255, 255, 255], limits::LINK_FRAME_MAX_BYTES).await;
        assert!(matches!(got.as_slice(), [Err(LinkError::TooLong { bytes: 0xffff_ffff, .. })]));
        let got = read_all(&[0, 1, 0, 1], limits::LINK_FRAME_MAX_BYTES_UNKNOWN).await;
        assert!(matches!(got.as_slice(), [Err(LinkError::TooLong { bytes: 65_537, .. })]));
    }

    #[tokio::test]
    async fn an_unknown_kind_is_refused() {
        let got = read_all(&[0, 0, 0, 2, 9, 9], 1024).await;
        assert!(matches!(got.as_slice(), [Err(LinkError::Frame(FrameError::Kind(9)))]));
    }

    #[tokio::test]
    async fn a_large_claim_takes_no_memory_before_its_bytes_come() {
        let mut reader = FrameReader::new([0, 127, 255, 255, 4, 1].as_slice());
        assert!(reader.next(limits::LINK_FRAME_MAX_BYTES).await.is_err());
        assert!(reader.buffer.capacity() < 256 * 1024);
    }
}
