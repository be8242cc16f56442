//! HTTP as a browser or a script speaks it, one connection a request.

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A client that may be signed in.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    pub(crate) port: u16,
    pub(crate) cookie: Option<String>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) cookie: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON; null when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The code of the error in the body.
    pub(crate) fn error(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Http {
    /// Our own origin, as the browser names it.
    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A request as our own page makes it.
    pub(crate) async fn call(&self, method: Method, path: &str, body: &Value) -> Result<Answer> {
        let host = format!("127.0.0.1:{}", self.port);
        self.call_as(method, path, body, &host, Some(&self.origin())).await
    }

    /// A request with a `Host` and `Origin` of the caller's choice.
    pub(crate) async fn call_as(
        &self,
        method: Method,
        path: &str,
        body: &Value,
        host: &str,
        origin: Option<&str>,
    ) -> Result<Answer> {
        let mut request = Request::builder().method(method).uri(path).header("host", host);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        let response = self.send(request.body(Full::new(Bytes::from(body)))?).await?;
        let (head, body) = response.into_parts();
        let set = head.headers.get("set-cookie").and_then(|value| value.to_str().ok());
        let cookie = set.and_then(|set| set.split(';').next()).map(str::to_owned);
        let body = body.collect().await?.to_bytes();
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(Answer { status: head.status, cookie, body })
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<hyper::body::Incoming>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.context("no core")?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        // Ends by itself when the answer is read and the sender is gone.
        tokio::spawn(connection);
        Ok(sender.send_request(request).await?)
    }
}
