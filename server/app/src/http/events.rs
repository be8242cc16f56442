//! `/api/events`: as a WebSocket for pages, as server-sent events for scripts.
//!
//! Pages take the socket because a stream holds one of the six connections that a browser has for
//! all its tabs together: the sixth tab would hang.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Query, Request, State};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::header::{SEC_WEBSOCKET_VERSION, UPGRADE};
use http::{HeaderName, HeaderValue, StatusCode};
use hyper_util::rt::TokioIo;
use pane::ticket::Grant;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use wire::event::EventEnvelope;
use wire::{ErrorCode, limits};
use ws::{Close, CloseCode, Codec, Frame, Upgrade};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::events::Follower;
use crate::state::App;

/// The subprotocol that pages offer beside their ticket.
const PROTOCOL: &str = "glasshouse.v1";
/// Most bytes a follower may say at once: it has nothing to say.
const SAID_MAX_BYTES: usize = 4096;
/// How long one frame may take to be written to a follower that does not read.
const WRITE_WITHIN: Duration = Duration::from_secs(30);
/// The sign-in ended.
const SIGNED_OUT: u16 = 4003;

/// Where to go on.
#[derive(Debug, Deserialize)]
pub(crate) struct From {
    after: Option<String>,
}

/// `GET /api/events`.
pub(crate) async fn follow(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    grant: Option<Extension<Grant>>,
    from: Result<Query<From>, axum::extract::rejection::QueryRejection>,
    request: Request,
) -> Result<Response, ApiError> {
    let Query(from) =
        from.map_err(|wrong| ApiError::new(ErrorCode::BadMessage, wrong.body_text()))?;
    let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    let follower = app.events.follow(from.after.as_deref().or(last));
    if grant.is_some() && request.headers().contains_key(UPGRADE) {
        return upgrade(app, caller, follower, request);
    }
    Ok(stream_to(app, caller, follower))
}

fn stream_to(app: App, caller: Caller, follower: Follower) -> Response {
    let events = stream::unfold((app, caller, follower), async |(app, caller, mut follower)| {
        let envelope = tokio::select! {
            envelope = follower.next() => envelope?,
            () = app.shutdown.begun() => return None,
            () = app.signins.ended(caller.signin) => return None,
        };
        let event = sse::Event::default().id(&envelope.id).json_data(&envelope).ok()?;
        Some((Ok::<_, Infallible>(event), (app, caller, follower)))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

fn upgrade(
    app: App,
    caller: Caller,
    follower: Follower,
    mut request: Request,
) -> Result<Response, ApiError> {
    let headers = request.headers().iter();
    let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let mut asked = match Upgrade::from_request(request.method().as_str(), headers) {
        Ok(asked) => asked,
        Err(wrong) => {
            let mut response =
                ApiError::new(ErrorCode::BadMessage, wrong.to_string()).into_response();
            *response.status_mut() =
                StatusCode::from_u16(wrong.status()).unwrap_or(StatusCode::BAD_REQUEST);
            response.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
            return Ok(response);
        }
    };
    // Events are small, and nothing else shares a compressed body with them.
    asked.deflate = None;
    let protocol = asked.protocols().find(|offered| *offered == PROTOCOL);
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    for (name, value) in asked.answer(protocol) {
        let value = HeaderValue::from_str(&value).map_err(ApiError::internal)?;
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
    let upgraded = hyper::upgrade::on(&mut request);
    app.shutdown.clone().track(async move {
        match upgraded.await {
            Ok(socket) => {
                let mut told = Told { app, caller, follower, codec: codec() };
                if let Err(error) = told.run(TokioIo::new(socket)).await {
                    tracing::debug!(%error, "an event socket ended early");
                }
            }
            Err(error) => tracing::debug!(%error, "an event socket was not opened"),
        }
    });
    Ok(response)
}

fn codec() -> Codec {
    Codec::server(ws::Config { max_message_bytes: SAID_MAX_BYTES, deflate: None })
}

/// One page that is told what happens.
struct Told {
    app: App,
    caller: Caller,
    follower: Follower,
    codec: Codec,
}

impl Told {
    async fn run(
        &mut self,
        mut socket: impl AsyncRead + AsyncWrite + Unpin,
    ) -> std::io::Result<()> {
        let mut said = [0; 512];
        let mut ping = tokio::time::interval(Duration::from_millis(limits::PING_MS));
        // Counts pings that were not followed by anything from the other side.
        let mut unheard = 0_u8;
        loop {
            let closing = tokio::select! {
                envelope = self.follower.next() => match envelope {
                    Some(envelope) => {
                        write(&mut socket, &text(&envelope)?).await?;
                        continue;
                    }
                    None => close(CloseCode::GOING_AWAY, ""),
                },
                read = socket.read(&mut said) => {
                    let read = read?;
                    if read == 0 {
                        return Ok(());
                    }
                    unheard = 0;
                    match self.heard(said.get(..read).unwrap_or_default()) {
                        Answer::Nothing => continue,
                        Answer::Say(frame) => {
                            write(&mut socket, &frame).await?;
                            continue;
                        }
                        Answer::Close(close) => close,
                    }
                }
                _ = ping.tick() => {
                    unheard += 1;
                    if unheard > 2 {
                        return Ok(());
                    }
                    write(&mut socket, &Frame::ping(0_u64.into())).await?;
                    continue;
                }
                () = self.app.shutdown.begun() => close(CloseCode::GOING_AWAY, ""),
                () = self.app.signins.ended(self.caller.signin) => signed_out(),
            };
            if let Some(frame) = self.codec.close(&closing) {
                write(&mut socket, &frame).await?;
            }
            return socket.shutdown().await;
        }
    }

    fn heard(&mut self, bytes: &[u8]) -> Answer {
        self.codec.on_bytes(bytes);
        let mut answer = Answer::Nothing;
        while let Some(event) = self.codec.poll_event() {
            match event {
                Ok(ws::Event::Ping(payload)) => answer = Answer::Say(Frame::pong(payload)),
                Ok(ws::Event::Close(said)) => return Answer::Close(said.reply()),
                Ok(ws::Event::Pong(_)) => {}
                Ok(ws::Event::Text(_) | ws::Event::Binary(_)) => {
                    return Answer::Close(close(CloseCode::POLICY, "nothing is expected here"));
                }
                Err(error) => return Answer::Close(Close::from(error)),
            }
        }
        answer
    }
}

enum Answer {
    Nothing,
    Say(Frame),
    Close(Close),
}

fn close(code: CloseCode, reason: &str) -> Close {
    Close::new(code, reason)
}

fn signed_out() -> Close {
    let code = CloseCode::new(SIGNED_OUT).unwrap_or(CloseCode::POLICY);
    close(code, "signed out")
}

fn text(envelope: &EventEnvelope) -> std::io::Result<Frame> {
    Ok(Frame::text(serde_json::to_vec(envelope)?))
}

async fn write(socket: &mut (impl AsyncWrite + Unpin), frame: &Frame) -> std::io::Result<()> {
    let writing = async {
        socket.write_all(frame.head()).await?;
        socket.write_all(frame.body()).await?;
        socket.flush().await
    };
    tokio::time::timeout(WRITE_WITHIN, writing).await.map_err(std::io::Error::other)?
}
