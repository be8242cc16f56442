//! Who is on the other side, before anything is said.
//!
//! Both ends ask the kernel for the peer's user id first. Only then does the core send its hello,
//! which holds the link's secret; the host answers nothing to a user that is not allowed, and
//! compares the secret in constant time before it looks at anything else.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use subtle::ConstantTimeEq as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use wire::frame::LinkKind;
use wire::host::{Hello, HostFrame, LINK_VERSION, Reply, Request, RequestFrame};
use wire::limits::LINK_FRAME_MAX_BYTES_UNKNOWN;
use wire::{ErrorBody, ErrorCode, HostId, StoreId};

use crate::frame::FrameReader;
use crate::{Frame, LinkError};

/// How long either side waits for the other's hello.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
/// The oldest link version that this build still speaks.
pub const OLDEST_LINK_VERSION: u32 = 1;
/// The id of the hello; every other request has a later one.
pub(crate) const HELLO_ID: u32 = 1;

/// How a core connects.
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// User ids that a host may run as.
    pub allowed_uids: Vec<u32>,
    /// How long connecting and the hello may take together.
    pub timeout: Duration,
}

/// What a host asks of whoever connects.
pub struct Gate {
    /// User ids that a core may run as.
    pub allowed_uids: Vec<u32>,
    /// The link's secret, in hex.
    pub secret: String,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("allowed_uids", &self.allowed_uids).finish_non_exhaustive()
    }
}

/// What a host says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelloReply {
    /// The link version that both speak.
    pub link: u32,
    /// Names of optional features.
    pub features: Vec<String>,
    /// The host's build.
    pub build: String,
    /// The host.
    pub host: HostId,
    /// Changes with every start of the host.
    pub boot: String,
}

impl HelloReply {
    fn to_reply(&self, link: u32) -> Reply {
        Reply::Hello {
            link,
            features: self.features.clone(),
            build: self.build.clone(),
            host: self.host,
            boot: self.boot.clone(),
        }
    }
}

/// # Errors
///
/// [`LinkError::Peer`] for a user that is not in the list.
pub fn check_peer(uid: u32, allowed: &[u32]) -> Result<(), LinkError> {
    if allowed.contains(&uid) { Ok(()) } else { Err(LinkError::Peer(uid)) }
}

/// The core's half, after the host's user is known.
pub(crate) async fn greet<R, W>(
    reader: &mut FrameReader<R>,
    writer: &mut W,
    hello: Hello,
) -> Result<HelloReply, LinkError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    send(writer, &Frame::request(&RequestFrame { id: HELLO_ID, request: Request::Hello(hello) }))
        .await?;
    let (kind, payload) =
        reader.next(LINK_FRAME_MAX_BYTES_UNKNOWN).await?.ok_or(LinkError::Closed)?;
    let LinkKind::Control = kind else {
        return Err(LinkError::Unexpected(format!("{kind:?} before the hello")));
    };
    match parse(&payload)? {
        HostFrame::Reply {
            id: HELLO_ID,
            reply: Ok(Reply::Hello { link, features, build, host, boot }),
        } => {
            if (OLDEST_LINK_VERSION..=LINK_VERSION).contains(&link) {
                Ok(HelloReply { link, features, build, host, boot })
            } else {
                Err(LinkError::Version(link))
            }
        }
        HostFrame::Reply { id: HELLO_ID, reply: Err(error) } => Err(LinkError::Refused(error)),
        other @ (HostFrame::Reply { .. } | HostFrame::Event { .. }) => {
            Err(LinkError::Unexpected(format!("{other:?} instead of an answer to the hello")))
        }
    }
}

/// The host's half, after the core's user is known. `bind` says whether this host may serve that
/// store; it is asked last, so that a stranger cannot bind a new host.
pub(crate) async fn answer<R, W>(
    reader: &mut FrameReader<R>,
    writer: &mut W,
    gate: &Gate,
    myself: &HelloReply,
    bind: impl FnOnce(StoreId) -> Result<(), ErrorBody>,
) -> Result<Hello, LinkError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (kind, payload) =
        reader.next(LINK_FRAME_MAX_BYTES_UNKNOWN).await?.ok_or(LinkError::Closed)?;
    let LinkKind::Control = kind else {
        return Err(LinkError::Unexpected(format!("{kind:?} before the hello")));
    };
    let frame: RequestFrame = parse(&payload)?;
    let Request::Hello(hello) = frame.request else {
        return Err(LinkError::Unexpected("a request before the hello".to_owned()));
    };
    match judge(&hello, gate).and_then(|link| bind(hello.store).map(|()| link)) {
        Ok(link) => {
            send(writer, &Frame::reply(frame.id, Ok(myself.to_reply(link)))).await?;
            Ok(hello)
        }
        Err(error) => {
            send(writer, &Frame::reply(frame.id, Err(error.clone()))).await?;
            Err(LinkError::Refused(error))
        }
    }
}

/// The link version to speak.
fn judge(hello: &Hello, gate: &Gate) -> Result<u32, ErrorBody> {
    if !bool::from(hello.secret.as_bytes().ct_eq(gate.secret.as_bytes())) {
        return Err(ErrorBody::new(ErrorCode::BadSecret, "the link's secret is wrong"));
    }
    if hello.link < OLDEST_LINK_VERSION {
        let message = format!("link version {} is no longer spoken here", hello.link);
        return Err(ErrorBody::new(ErrorCode::Unsupported, message));
    }
    Ok(hello.link.min(LINK_VERSION))
}

async fn send<W: AsyncWrite + Unpin>(writer: &mut W, frame: &Frame) -> Result<(), LinkError> {
    writer.write_all(frame.head_slice()).await?;
    writer.write_all(&frame.body).await?;
    writer.flush().await?;
    Ok(())
}

pub(crate) fn parse<T: serde::de::DeserializeOwned>(payload: &Bytes) -> Result<T, LinkError> {
    // The error of serde_json names a place and a type, never the text: no secret gets out.
    serde_json::from_slice(payload).map_err(|error| LinkError::Unexpected(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(link: u32, secret: &str) -> Hello {
        Hello {
            link,
            features: Vec::new(),
            build: "test".to_owned(),
            store: StoreId::from_random([1; 16]),
            secret: secret.to_owned(),
        }
    }

    fn gate() -> Gate {
        Gate { allowed_uids: vec![7], secret: "ab".repeat(32) }
    }

    #[test]
    fn only_listed_users_are_let_in() {
        assert!(check_peer(7, &[7, 8]).is_ok());
        assert!(matches!(check_peer(0, &[7]), Err(LinkError::Peer(0))));
        assert!(check_peer(7, &[]).is_err());
    }

    #[test]
    fn the_secret_is_judged_before_the_version() {
        let code = |hello: &Hello| judge(hello, &gate()).unwrap_err().code;
        assert_eq!(code(&hello(0, "guess")), ErrorCode::BadSecret);
        assert_eq!(code(&hello(1, "")), ErrorCode::BadSecret);
        assert_eq!(code(&hello(0, &"ab".repeat(32))), ErrorCode::Unsupported);
        assert_eq!(judge(&hello(9, &"ab".repeat(32)), &gate()), Ok(LINK_VERSION));
    }

    #[test]
    fn a_gate_never_prints_its_secret() {
        assert!(!format!("{:?}", gate()).contains("abab"));
    }
}
