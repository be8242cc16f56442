//! The opening handshake: whether a request asks for a WebSocket, and what to answer.
//!
//! Who may connect is not decided here: Origin, Host, cookies and tickets are the caller's, and so
//! is the HTTP version (an HTTP/1.0 request cannot upgrade; hyper offers no upgrade on one).
//! The offered subprotocols may hold a ticket, so neither errors nor `Debug` show them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

use crate::offer::Agreement;

/// What RFC 6455 appends to the client's key.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// A request for a WebSocket that we can answer.
#[derive(Clone, PartialEq, Eq)]
pub struct Upgrade {
    accept: String,
    protocols: Vec<String>,
    /// The terms of compression, if the client offered any we take. Set it to `None` to refuse
    /// compression.
    pub deflate: Option<Agreement>,
}

/// Why a request is not answered with a WebSocket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// The method is not GET.
    #[error("a WebSocket is opened with GET")]
    Method,
    /// The request asks for no upgrade to `websocket`.
    #[error("the request asks for no upgrade to websocket")]
    NotAnUpgrade,
    /// The version is not 13.
    #[error("Sec-WebSocket-Version must be 13")]
    Version,
    /// The key is missing, repeated, or not 16 bytes in base64.
    #[error("Sec-WebSocket-Key must be one value of 16 bytes")]
    Key,
    /// The list of subprotocols is malformed or names one twice.
    #[error("Sec-WebSocket-Protocol is malformed")]
    Protocols,
}

impl HeadError {
    /// The HTTP status to answer with. With 426 goes the header `Sec-WebSocket-Version: 13`.
    pub fn status(self) -> u16 {
        match self {
            Self::Method => 405,
            Self::NotAnUpgrade | Self::Version => 426,
            Self::Key | Self::Protocols => 400,
        }
    }
}

impl Upgrade {
    /// Judges a request by its method and headers, in any order and spelling of the names.
    ///
    /// # Errors
    ///
    /// The first reason not to answer 101.
    pub fn from_request<'a>(
        method: &str,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, HeadError> {
        if method != "GET" {
            return Err(HeadError::Method);
        }
        let headers = Headers::collect(headers);
        if !headers.connection_upgrade || !headers.upgrade_websocket {
            return Err(HeadError::NotAnUpgrade);
        }
        let [version] = headers.versions[..] else { return Err(HeadError::Version) };
        if version != "13" {
            return Err(HeadError::Version);
        }
        let [key] = headers.keys[..] else { return Err(HeadError::Key) };
        if !STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == 16) {
            return Err(HeadError::Key);
        }
        Ok(Self {
            accept: accept(key),
            protocols: protocols(&headers.protocols)?,
            deflate: Agreement::negotiate(headers.extensions),
        })
    }

    /// The subprotocols the client offers, in its order of preference.
    pub fn protocols(&self) -> impl Iterator<Item = &str> {
        self.protocols.iter().map(String::as_str)
    }

    /// The headers of the answer, names in lower case. `protocol` is the one chosen from
    /// [`protocols`](Self::protocols); a browser fails the connection over any other.
    pub fn answer(&self, protocol: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("connection", "upgrade".to_owned()),
            ("upgrade", "websocket".to_owned()),
            ("sec-websocket-accept", self.accept.clone()),
        ];
        if let Some(protocol) = protocol {
            debug_assert!(self.protocols().any(|offered| offered == protocol), "not offered");
            headers.push(("sec-websocket-protocol", protocol.to_owned()));
        }
        if let Some(agreement) = self.deflate {
            headers.push(("sec-websocket-extensions", agreement.to_string()));
        }
        headers
    }
}

impl fmt::Debug for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upgrade")
            .field("protocols", &self.protocols.len())
            .field("deflate", &self.deflate)
            .finish_non_exhaustive()
    }
}

/// The `Sec-WebSocket-Accept` that answers a `Sec-WebSocket-Key`.
pub fn accept(key: &str) -> String {
    STANDARD.encode(Sha1::new().chain_update(key).chain_update(GUID).finalize())
}

/// The headers that matter, as sent.
#[derive(Default)]
struct Headers<'a> {
    connection_upgrade: bool,
    upgrade_websocket: bool,
    versions: Vec<&'a str>,
    keys: Vec<&'a str>,
    protocols: Vec<&'a str>,
    extensions: Vec<&'a str>,
}

impl<'a> Headers<'a> {
    fn collect(headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut found = Self::default();
        for (name, value) in headers {
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "connection" => found.connection_upgrade |= has_token(value, "upgrade"),
                "upgrade" => found.upgrade_websocket |= has_token(value, "websocket"),
                "sec-websocket-version" => found.versions.push(value),
                "sec-websocket-key" => found.keys.push(value),
                "sec-websocket-protocol" => found.protocols.push(value),
                "sec-websocket-extensions" => found.extensions.push(value),
                _ => {}
            }
        }
        found
    }
}

fn has_token(value: &str, token: &str) -> bool {
    value.split(',').any(|part| part.trim().eq_ignore_ascii_case(token))
}

fn protocols(values: &[&str]) -> Result<Vec<String>, HeadError> {
    let mut protocols: Vec<String> = Vec::new();
    for protocol in values.iter().flat_map(|value| value.split(',')).map(str::trim) {
        if !is_token(protocol) || protocols.iter().any(|earlier| earlier == protocol) {
            return Err(HeadError::Protocols);
        }
        protocols.push(protocol.to_owned());
    }
    Ok(protocols)
}

/// A token of HTTP: one or more visible ASCII characters that separate nothing.
fn is_token(text: &str) -> bool {
    let tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(tchar)
}

#[cfg(test)]
mod tests;
