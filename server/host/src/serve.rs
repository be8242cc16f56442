//! Lets cores in and hands on what they ask.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use link::{HostConn, Message};
use tokio::net::{UnixListener, UnixStream};
use wire::host::{InputHead, Reply, Request, SessionFacts};
use wire::{ErrorBody, ErrorCode, SessionId};

use crate::host::Host;
use crate::session::{self, Command, Conn};
use crate::spawn;

/// After a failed accept: with no descriptor left, asking again at once fails again at once.
const BACK_OFF: Duration = Duration::from_millis(100);

/// Accepts cores for ever.
pub(crate) async fn accept_all(host: Arc<Host>, listener: UnixListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve(Arc::clone(&host), stream));
            }
            Err(error) => {
                tracing::warn!(%error, "a core could not be let in");
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

async fn serve(host: Arc<Host>, stream: UnixStream) {
    let accepted =
        HostConn::accept(stream, &host.gate, &host.myself, |store| host.bind(store)).await;
    let mut link = match accepted {
        Ok(link) => link,
        Err(error) => {
            tracing::warn!(%error, "a connection was refused");
            return;
        }
    };
    let conn = Conn { id: host.next_conn(), outbox: link.outbox.clone() };
    tracing::info!(conn = conn.id, build = link.hello.build, "a core has connected");
    host.registry.on_connected(conn.id, conn.outbox.clone());
    let ended = loop {
        match link.next().await {
            Ok(Some(Message::Request(frame))) => {
                on_request(&host, &conn, frame.id, frame.request).await
            }
            Ok(Some(Message::Input { head, bytes })) => on_input(&host, &conn, head, bytes).await,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    if let Err(error) = ended {
        tracing::warn!(conn = conn.id, %error, "a core's connection broke");
    }
    drop(link);
    host.registry.on_gone(conn.id);
    for handle in host.registry.all() {
        if handle.send(Command::Gone { conn: conn.id }).await.is_err() {
            tracing::debug!(session = %handle.session, "a session has gone meanwhile");
        }
    }
}

async fn on_request(host: &Arc<Host>, conn: &Conn, id: u32, request: Request) {
    if let Some(session) = session_of(&request) {
        let Some(handle) = host.registry.get(session) else {
            conn.answer(id, Err(session::gone(session)));
            return;
        };
        let command = Command::Request { conn: conn.clone(), id, request };
        if handle.send(command).await.is_err() {
            conn.answer(id, Err(session::gone(session)));
        }
        return;
    }
    if request == Request::Ping {
        conn.answer(id, Ok(Reply::Done));
        return;
    }
    // What may take a while must not hold up the keys behind it.
    let (host, conn) = (Arc::clone(host), conn.clone());
    tokio::spawn(async move {
        let answer = of_host(&host, request).await;
        conn.answer(id, answer);
    });
}

/// What is asked of the host itself.
async fn of_host(host: &Arc<Host>, request: Request) -> Result<Reply, ErrorBody> {
    match request {
        Request::List => Ok(Reply::Sessions(list(host).await)),
        Request::Spawn(spawn) => spawn::spawn(host, *spawn).await,
        Request::Profiles => {
            let env = host.env().await;
            let asked = host.profiles.versioned(env);
            let (versions, children) = (host.versions.clone(), Arc::clone(&host.children));
            tokio::spawn(versions.ask(asked, env.clone(), children));
            Ok(Reply::Profiles(host.profiles.list(env, &host.versions)))
        }
        Request::Folder { path } => {
            let found = tokio::task::spawn_blocking(move || folder(Path::new(&path))).await;
            let path =
                found.map_err(|error| ErrorBody::new(ErrorCode::Internal, error.to_string()))??;
            Ok(Reply::Folder { path })
        }
        Request::Hello(_) => Err(ErrorBody::new(ErrorCode::BadMessage, "hello was said already")),
        Request::Inspect { .. }
        | Request::Attach { .. }
        | Request::Detach { .. }
        | Request::Join { .. }
        | Request::Read { .. }
        | Request::Took { .. }
        | Request::Durable { .. }
        | Request::Recorder { .. }
        | Request::Hold { .. }
        | Request::Input(_)
        | Request::Interrupt { .. }
        | Request::Resize { .. }
        | Request::Theme { .. }
        | Request::Control { .. }
        | Request::Signal { .. }
        | Request::Terminate { .. }
        | Request::Reap { .. }
        | Request::Unknown => {
            let message = "this pane host does not know that request";
            Err(ErrorBody::new(ErrorCode::Unsupported, message))
        }
        Request::Ping => Ok(Reply::Done),
    }
}

async fn list(host: &Host) -> Vec<SessionFacts> {
    let mut sessions = Vec::new();
    for handle in host.registry.all() {
        sessions.extend(handle.ask(Command::Facts).await);
    }
    sessions
}

fn folder(path: &Path) -> Result<String, ErrorBody> {
    let missing = |error: io::Error| {
        let message = format!("there is no folder {}: {error}", path.display());
        ErrorBody::new(ErrorCode::CwdMissing, message)
    };
    if !path.is_absolute() {
        return Err(ErrorBody::new(ErrorCode::BadMessage, "a folder is named by its whole path"));
    }
    let path = path.canonicalize().map_err(missing)?;
    if !path.is_dir() {
        return Err(missing(io::ErrorKind::NotADirectory.into()));
    }
    path.into_os_string().into_string().map_err(|path| {
        ErrorBody::new(ErrorCode::BadMessage, format!("{} is no text", path.display()))
    })
}

async fn on_input(host: &Host, conn: &Conn, head: InputHead, bytes: bytes::Bytes) {
    use wire::host::HostEvent;
    let session = head.session;
    let (viewer, id) = (head.by.viewer, head.id);
    let sent = match host.registry.get(session) {
        Some(handle) => handle.send(Command::Input { head, bytes }).await.is_ok(),
        None => false,
    };
    if !sent {
        let code = ErrorCode::NotFound;
        let event = HostEvent::Refused { session, viewer, id, code, holder: None };
        if conn.outbox.urgent(link::Frame::event(event)).is_err() {
            tracing::debug!(conn = conn.id, "a closed connection is not told of its input");
        }
    }
}

/// The session that a request is about.
fn session_of(request: &Request) -> Option<SessionId> {
    match request {
        Request::Inspect { session }
        | Request::Attach { session, .. }
        | Request::Detach { session }
        | Request::Join { session, .. }
        | Request::Read { session, .. }
        | Request::Took { session, .. }
        | Request::Durable { session, .. }
        | Request::Recorder { session, .. }
        | Request::Hold { session, .. }
        | Request::Interrupt { session, .. }
        | Request::Resize { session, .. }
        | Request::Theme { session, .. }
        | Request::Control { session, .. }
        | Request::Signal { session, .. }
        | Request::Terminate { session }
        | Request::Reap { session } => Some(*session),
        Request::Hello(_)
        | Request::List
        | Request::Spawn(_)
        | Request::Input(_)
        | Request::Profiles
        | Request::Folder { .. }
        | Request::Ping
        | Request::Unknown => None,
    }
}
