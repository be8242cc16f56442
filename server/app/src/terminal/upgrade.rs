//! `GET /api/panes/{id}/cli/terminal`: from a request with a ticket to a socket that is driven.
//!
//! The guard has spent the ticket and judged the page by the time this runs. Everything that can
//! be refused is refused here, as an answer with a status: a browser tells its page nothing but a
//! close code otherwise.

use axum::Extension;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::SEC_WEBSOCKET_VERSION;
use http::{HeaderName, HeaderValue, StatusCode};
use hyper_util::rt::TokioIo;
use pane::ticket::Grant;
use serde::Deserialize;
use socket2::SockRef;
use tokio::net::TcpStream;
use wire::{ErrorCode, PaneId, Seq, SessionId};
use ws::{Codec, Upgrade};

use super::socket::{self, Around, Opening};
use crate::error::ApiError;
use crate::http::answer::Id;
use crate::hub::frame::Encoding;
use crate::state::App;

/// The subprotocol in which output is binary.
const BINARY: &str = "glasshouse.v1";
/// The one in which everything is text; so it is without a subprotocol, too.
const JSON: &str = "glasshouse.v1.json";
/// Output the kernel may hold for one viewer ...
const SEND_BUFFER_BYTES: usize = 256 * 1024;
/// ... and how much of it unsent before the socket counts as full: measured, a loopback
/// connection hides 2.8 to 4.3 MB otherwise, and a key waits behind them.
const UNSENT_BYTES: u32 = 32 * 1024;

/// What a viewer says of itself in the address.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wishes {
    /// It has everything of the session before this offset.
    after: Option<u64>,
    /// Of that session.
    session: Option<SessionId>,
    /// Its pane cannot be seen.
    hidden: Option<String>,
    /// It says what it has parsed.
    acks: Option<String>,
}

/// Opens a viewer's socket.
pub(crate) async fn terminal(
    State(app): State<App>,
    Extension(grant): Extension<Grant>,
    Id(pane): Id<PaneId>,
    wishes: Result<Query<Wishes>, axum::extract::rejection::QueryRejection>,
    mut request: Request,
) -> Result<Response, ApiError> {
    let Query(wishes) =
        wishes.map_err(|wrong| ApiError::new(ErrorCode::BadMessage, wrong.body_text()))?;
    let headers = request.headers().iter();
    let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let asked = match Upgrade::from_request(request.method().as_str(), headers) {
        Ok(asked) => asked,
        Err(wrong) => return Ok(no_upgrade(wrong)),
    };
    let hub = app.hubs.open(&app, pane).await?;
    let protocol = asked.protocols().find(|offered| [BINARY, JSON].contains(offered));
    let encoding = if protocol == Some(BINARY) { Encoding::Binary } else { Encoding::Json };
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    for (name, value) in asked.answer(protocol) {
        let value = HeaderValue::from_str(&value).map_err(ApiError::internal)?;
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
    let config = ws::Config { deflate: asked.deflate, ..ws::Config::default() };
    let says = |flag: &Option<String>| flag.as_deref().is_some_and(|value| value == "1");
    let signin = grant.signin;
    let opening = Opening {
        by: grant.by,
        read_only: grant.read_only,
        has: wishes.after.map(Seq).filter(|_| wishes.session == Some(hub.session())),
        hidden: says(&wishes.hidden),
        acks: encoding == Encoding::Binary || says(&wishes.acks),
        encoding,
        codec: Codec::server(config),
        hub,
        early: Bytes::new(),
    };
    let upgraded = hyper::upgrade::on(&mut request);
    let around = around(&app, pane, signin);
    app.shutdown.track(async move {
        let served = match upgraded.await {
            Ok(socket) => serve(socket, opening, around).await,
            Err(error) => Err(std::io::Error::other(error)),
        };
        if let Err(error) = served {
            tracing::debug!(%pane, %error, "a viewer's socket ended early");
        }
    });
    Ok(response)
}

/// Drives the socket itself where it is one, with the kernel told to hold little.
async fn serve(
    socket: hyper::upgrade::Upgraded,
    opening: Opening,
    around: Around,
) -> std::io::Result<()> {
    match socket.downcast::<TokioIo<TcpStream>>() {
        Ok(parts) => {
            let socket = parts.io.into_inner();
            hold_little(&socket);
            socket::run(socket, Opening { early: parts.read_buf, ..opening }, around).await
        }
        // The core's own socket.
        Err(socket) => socket::run(TokioIo::new(socket), opening, around).await,
    }
}

fn hold_little(socket: &TcpStream) {
    let options = SockRef::from(socket);
    let set = options
        .set_tcp_nodelay(true)
        .and_then(|()| options.set_send_buffer_size(SEND_BUFFER_BYTES))
        .and_then(|()| options.set_tcp_notsent_lowat(UNSENT_BYTES));
    // Without them things still work: a slow viewer is only found later.
    if let Err(error) = set {
        tracing::debug!(%error, "a socket's options could not be set");
    }
}

fn around(app: &App, pane: PaneId, signin: Option<wire::SigninId>) -> Around {
    let (ended, reopen) = (app.clone(), app.clone());
    Around {
        clock: app.clock,
        shutdown: app.shutdown.clone(),
        signed_out: Box::pin(async move { ended.signins.ended(signin).await }),
        reopen: Box::new(move |session| {
            let app = reopen.clone();
            Box::pin(async move { app.hubs.open_session(&app, pane, session).await })
        }),
    }
}

fn no_upgrade(wrong: ws::HeadError) -> Response {
    let mut response = ApiError::new(ErrorCode::BadMessage, wrong.to_string()).into_response();
    *response.status_mut() =
        StatusCode::from_u16(wrong.status()).unwrap_or(StatusCode::BAD_REQUEST);
    response.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    response
}
