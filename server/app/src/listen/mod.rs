//! The accept loop, and what one connection may cost before anybody knows who it is.
//!
//! `axum::serve` has no header timeout, no buffer limit and forgets upgraded sockets, so this is
//! our own. A machine that is out of descriptors is waited for, never spun on: `accept` fails at
//! once then, over and over.

mod local;
mod peer;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tower::Service as _;

pub use self::local::{LocalSocket, bind as bind_local};
pub use self::peer::Peer;
use self::peer::Strangers;
use crate::shutdown::Shutdown;

/// How long a request's head may take, and a connection may idle before its next.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
/// Most bytes of a request's head.
const HEAD_MAX_BYTES: usize = 32 * 1024;
/// How long until `accept` is tried again on a machine that is out of descriptors or memory.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(100);

/// Serves people's browsers until the core stops.
pub async fn serve(listener: TcpListener, router: Router, shutdown: Shutdown) {
    let strangers = Strangers::default();
    let mut exhausted = Exhausted::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.begun() => return,
        };
        match accepted {
            Ok((stream, address)) => {
                exhausted.on_accepted();
                // A key's echo must not wait for a fuller packet. Without it things still work.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "no TCP_NODELAY");
                }
                let (router, strangers) = (router.clone(), strangers.clone());
                let ending = shutdown.clone();
                shutdown.track(async move {
                    let entry = tokio::select! {
                        entry = strangers.enter(address.ip(), HEAD_WITHIN) => entry,
                        () = ending.begun() => None,
                    };
                    match entry {
                        Some(entry) => {
                            connection(stream, Peer::remote(entry), router, ending).await;
                        }
                        None => tracing::debug!(%address, "too many strangers from one address"),
                    }
                });
            }
            Err(error) => exhausted.on_error(&error).await,
        }
    }
}

/// Serves the core's own socket until the core stops.
pub async fn serve_local(socket: LocalSocket, router: Router, shutdown: Shutdown) {
    let mut exhausted = Exhausted::default();
    loop {
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            () = shutdown.begun() => return,
        };
        match accepted {
            Ok((stream, peer)) => {
                exhausted.on_accepted();
                let (router, ending) = (router.clone(), shutdown.clone());
                shutdown.track(connection(stream, peer, router, ending));
            }
            Err(error) => exhausted.on_error(&error).await,
        }
    }
}

/// Binds the port that browsers come to.
///
/// # Errors
///
/// When the address is taken or not ours.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Whether nobody can be let in now. Said once, until somebody can again.
#[derive(Debug, Default)]
struct Exhausted(bool);

impl Exhausted {
    fn on_accepted(&mut self) {
        if std::mem::take(&mut self.0) {
            tracing::info!("connections are accepted again");
        }
    }

    /// Waits before the next try, unless the trouble was the peer's own.
    async fn on_error(&mut self, error: &io::Error) {
        if error.kind() == io::ErrorKind::ConnectionAborted {
            return;
        }
        if !std::mem::replace(&mut self.0, true) {
            tracing::warn!(%error, "no connections can be accepted now");
        }
        tokio::time::sleep(EXHAUSTED_PAUSE).await;
    }
}

async fn connection<S>(stream: S, peer: Peer, router: Router, shutdown: Shutdown)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(peer.clone());
        router.clone().call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN).max_buf_size(HEAD_MAX_BYTES);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = shutdown.begun() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
