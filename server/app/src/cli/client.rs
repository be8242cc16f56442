//! Speaking HTTP to a running core over its own socket.

use anyhow::{Context as _, bail};
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::UnixStream;
use wire::ErrorReply;

use crate::config::Dirs;

/// The mark of a pane's processes.
const PANE_MARK: &str = "GLASSHOUSE_SESSION";

/// One request and its answer.
///
/// # Errors
///
/// Without a running core; what it refuses, in its own words.
pub(super) async fn ask<T: DeserializeOwned>(
    dirs: &Dirs,
    method: Method,
    path: &str,
    body: Option<&(impl Serialize + Sync)>,
) -> anyhow::Result<Option<T>> {
    if std::env::var_os(PANE_MARK).is_some() {
        bail!("this does not work from inside a pane");
    }
    let socket = dirs.core_socket();
    let stream = UnixStream::connect(&socket).await.with_context(|| {
        format!("no core runs with {}: `glasshouse serve` starts one", dirs.data.display())
    })?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let driving = tokio::spawn(connection);
    let bytes = body.map(serde_json::to_vec).transpose()?.unwrap_or_default();
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(bytes)))?;
    let response = sender.send_request(request).await?;
    let status = response.status();
    let bytes = response.into_body().collect().await?.to_bytes();
    driving.abort();
    if !status.is_success() {
        return Err(refusal(status, &bytes));
    }
    Ok(if bytes.is_empty() { None } else { Some(serde_json::from_slice(&bytes)?) })
}

fn refusal(status: StatusCode, body: &[u8]) -> anyhow::Error {
    match serde_json::from_slice::<ErrorReply>(body) {
        Ok(reply) => anyhow::Error::msg(reply.error.message),
        Err(_) => anyhow::anyhow!("the core answered {status}"),
    }
}
