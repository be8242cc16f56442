//! A viewer: a WebSocket on a pane, in either encoding, that remembers what it was shown.

use std::collections::VecDeque;

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use wire::ViewerId;
use wire::frame::{TAG_OUTPUT, TAG_SNAPSHOT, ViewerInput};

use super::http::Http;
use super::{PATIENCE, within};

/// How to attach.
#[derive(Clone, Debug)]
pub(crate) struct Attach {
    /// Who it is; the same viewer may come back.
    pub(crate) viewer: ViewerId,
    /// `glasshouse.v1` instead of JSON.
    pub(crate) binary: bool,
    /// Continue behind this offset of this session.
    pub(crate) after: Option<(u64, String)>,
    /// Only to watch.
    pub(crate) watch: bool,
}

impl Default for Attach {
    fn default() -> Self {
        let viewer = ViewerId::from_random(rand::random());
        Self { viewer, binary: true, after: None, watch: false }
    }
}

/// An open socket, and everything it was shown.
#[derive(Debug)]
pub(crate) struct Viewer {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) attach: Attach,
    /// Output as it was shown: a snapshot starts it anew.
    pub(crate) shown: Vec<u8>,
    /// Where `shown` ends.
    pub(crate) seq: u64,
    /// The first message.
    pub(crate) ready: Value,
    /// Messages that nobody has asked for yet.
    pub(crate) messages: VecDeque<Value>,
    /// The close code, once closed.
    pub(crate) closed: Option<u16>,
    /// The epoch of the last grant, from `ready` and `control`.
    pub(crate) epoch: u32,
    /// Whether this viewer may type.
    pub(crate) holds: bool,
    stream: u32,
    next_id: u64,
    snapshot_left: u64,
}

impl Viewer {
    /// Gets a ticket and opens a socket with it.
    pub(crate) async fn open(http: &Http, pane: &str, attach: Attach) -> Result<Self> {
        let mode = if attach.watch { "watch" } else { "control" };
        let body = json!({ "viewer": attach.viewer, "mode": mode });
        let path = format!("/api/panes/{pane}/cli/ticket");
        let answer = http.call(Method::POST, &path, &body).await?;
        if answer.status != StatusCode::OK {
            bail!("no ticket: {} {}", answer.status, answer.body);
        }
        let ticket = answer.json()["ticket"].as_str().context("a ticket")?.to_owned();
        let mut viewer = Self::open_with(http, pane, attach, &ticket).await?;
        within("ready", viewer.read_until(|viewer, _| !viewer.ready.is_null())).await?;
        Ok(viewer)
    }

    /// Opens a socket with a ticket, without waiting for anything.
    pub(crate) async fn open_with(
        http: &Http,
        pane: &str,
        attach: Attach,
        ticket: &str,
    ) -> Result<Self> {
        let mut url = format!("ws://127.0.0.1:{}/api/panes/{pane}/cli/terminal?acks=1", http.port);
        if let Some((seq, session)) = &attach.after {
            url += &format!("&after={seq}&session={session}");
        }
        let mut request = url.into_client_request()?;
        let protocol = if attach.binary { "glasshouse.v1" } else { "glasshouse.v1.json" };
        let headers = request.headers_mut();
        headers.insert("sec-websocket-protocol", format!("{protocol}, ticket.{ticket}").parse()?);
        headers.insert("origin", http.origin().parse()?);
        if let Some(cookie) = &http.cookie {
            headers.insert("cookie", cookie.parse()?);
        }
        let (socket, _) = tokio_tungstenite::connect_async(request).await?;
        let seq = attach.after.as_ref().map_or(0, |(seq, _)| *seq);
        Ok(Self {
            socket,
            attach,
            shown: Vec::new(),
            seq,
            ready: Value::Null,
            messages: VecDeque::new(),
            closed: None,
            epoch: 0,
            holds: false,
            stream: 0,
            next_id: 1,
            snapshot_left: 0,
        })
    }

    /// Types, under whatever grant this viewer has; answers the input's id.
    pub(crate) async fn type_text(&mut self, text: &str) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send_input(text, id, self.epoch).await;
        id
    }

    /// Sends an input with an id and epoch of the caller's choice.
    pub(crate) async fn send_input(&mut self, text: &str, id: u64, epoch: u32) {
        self.next_id = self.next_id.max(id + 1);
        if self.attach.binary {
            let bytes = text.as_bytes();
            let input = ViewerInput { paste: None, epoch, run: 0, id, bytes };
            let frame = Message::Binary(input.to_bytes().into());
            self.socket.send(frame).await.expect("the socket is open");
        } else {
            let input =
                json!({ "type": "input", "data": text, "id": id, "epoch": epoch, "run": 0 });
            self.send(input).await;
        }
    }

    /// Sends a control message.
    pub(crate) async fn send(&mut self, message: Value) {
        let frame = Message::Text(message.to_string().into());
        self.socket.send(frame).await.expect("the socket is open");
    }

    /// Asks for the lease and waits for it.
    pub(crate) async fn acquire(&mut self) {
        self.send(json!({ "type": "control", "action": "acquire" })).await;
        self.until("the lease", |viewer| viewer.holds).await;
    }

    /// Waits until what was shown holds `text`.
    pub(crate) async fn sees(&mut self, text: &str) {
        let needle = text.as_bytes().to_vec();
        self.until(&format!("the output {text:?}"), |viewer| {
            viewer.shown.windows(needle.len()).any(|window| window == needle)
        })
        .await;
    }

    /// Waits for a message of this type and takes it.
    pub(crate) async fn message(&mut self, kind: &str) -> Value {
        let is_kind = |message: &Value| message["type"] == kind;
        self.until(kind, |viewer| viewer.messages.iter().any(is_kind)).await;
        let at = self.messages.iter().position(is_kind).expect("it is there");
        self.messages.remove(at).expect("it is there")
    }

    /// Waits until the session's end has been told, and answers how it ended.
    pub(crate) async fn exit(&mut self) -> Value {
        loop {
            let status = self.message("status").await;
            if status["state"] == "exited" {
                return status["exit"].clone();
            }
        }
    }

    /// Waits for the socket's end; answers the close code.
    pub(crate) async fn close_code(&mut self) -> u16 {
        within("the close", self.read_until(|viewer, _| viewer.closed.is_some())).await.ok();
        self.closed.unwrap_or_default()
    }

    /// Ends the socket without a word, as a lost network does.
    pub(crate) fn cut(self) -> Attach {
        let mut attach = self.attach;
        let session = self.ready["session"].as_str().unwrap_or_default().to_owned();
        attach.after = Some((self.seq, session));
        attach
    }

    /// Reads until a condition holds.
    pub(crate) async fn until(&mut self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        if holds(self) {
            return;
        }
        let read = tokio::time::timeout(PATIENCE, self.read_until(|viewer, _| holds(viewer)));
        let failed = match read.await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "time is up".to_owned(),
        };
        let shown = String::from_utf8_lossy(&self.shown).into_owned();
        let end: String = shown.chars().rev().take(500).collect();
        let end: String = end.chars().rev().collect();
        panic!("{failed} waiting for {what}; told {:?}; shown at last {end:?}", self.messages);
    }

    async fn read_until(&mut self, mut done: impl FnMut(&Self, ()) -> bool) -> Result<()> {
        while !done(self, ()) {
            let message = match self.socket.next().await {
                Some(Ok(message)) => message,
                Some(Err(tungstenite::Error::ConnectionClosed)) | None => {
                    self.closed.get_or_insert(1006);
                    bail!("the socket closed ({:?})", self.closed)
                }
                Some(Err(error)) => {
                    self.closed.get_or_insert(1006);
                    return Err(error.into());
                }
            };
            match message {
                Message::Text(text) => self.on_text(serde_json::from_str(&text)?).await?,
                Message::Binary(frame) => self.on_binary(&frame).await?,
                Message::Close(frame) => {
                    self.closed = Some(frame.map_or(1005, |frame| frame.code.into()));
                }
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
        Ok(())
    }

    async fn on_binary(&mut self, frame: &[u8]) -> Result<()> {
        let (&tag, rest) = frame.split_first().context("an empty frame")?;
        match tag {
            TAG_OUTPUT => {
                let (end, bytes) = rest.split_first_chunk::<8>().context("a short frame")?;
                self.on_output(u64::from_be_bytes(*end), bytes).await
            }
            TAG_SNAPSHOT => {
                let bytes = rest.get(4..).context("a short frame")?;
                self.shown.extend_from_slice(bytes);
                let part = u64::try_from(bytes.len())?;
                self.snapshot_left = self.snapshot_left.saturating_sub(part);
                if self.snapshot_left == 0 { self.ack().await } else { Ok(()) }
            }
            other => bail!("a frame with tag {other}"),
        }
    }

    async fn on_text(&mut self, message: Value) -> Result<()> {
        match message["type"].as_str().unwrap_or_default() {
            "ready" => {
                self.stream = u32::try_from(message["stream"].as_u64().unwrap_or_default())?;
                self.on_lease(&message);
                self.ready = message;
            }
            "output" => {
                let seq = message["seq"].as_u64().context("a Seq")?;
                let data = message["data"].as_str().context("data")?.to_owned();
                // Only text of ours is looked at in JSON, so its length in bytes is known.
                self.on_output(seq, data.as_bytes()).await?;
            }
            "snapshot" => {
                self.on_snapshot(message).await?;
            }
            "session_replaced" => {
                self.stream = u32::try_from(message["stream"].as_u64().unwrap_or_default())?;
                self.shown.clear();
                self.seq = 0;
                self.messages.push_back(message);
            }
            "control" => {
                self.on_lease(&message);
                self.messages.push_back(message);
            }
            _ => self.messages.push_back(message),
        }
        Ok(())
    }

    /// A snapshot's head, or in JSON a part of it.
    async fn on_snapshot(&mut self, message: Value) -> Result<()> {
        if message["part"].as_u64().unwrap_or_default() == 0 {
            self.shown.clear();
            self.seq = message["seq"].as_u64().context("a Seq")?;
            self.snapshot_left = message["bytes"].as_u64().unwrap_or_default();
        }
        if let Some(data) = message["data"].as_str() {
            self.shown.extend_from_slice(data.as_bytes());
            self.snapshot_left = 0;
        }
        let whole = self.snapshot_left == 0 && message["last"] != false;
        self.messages.push_back(message);
        if whole { self.ack().await } else { Ok(()) }
    }

    fn on_lease(&mut self, message: &Value) {
        let epoch = message["epoch"].as_u64().and_then(|epoch| u32::try_from(epoch).ok());
        self.epoch = epoch.unwrap_or_default();
        self.holds = message["you"] == true;
    }

    async fn on_output(&mut self, end: u64, bytes: &[u8]) -> Result<()> {
        let length = u64::try_from(bytes.len())?;
        let begin = end.checked_sub(length).context("an end before its bytes")?;
        if begin != self.seq && self.attach.binary {
            bail!("output from {begin} follows {}: torn or doubled", self.seq);
        }
        self.seq = end;
        self.shown.extend_from_slice(bytes);
        self.ack().await
    }

    async fn ack(&mut self) -> Result<()> {
        let ack = json!({ "type": "ack", "stream": self.stream, "seq": self.seq });
        let sent = self.socket.send(Message::Text(ack.to_string().into())).await;
        // A socket that closes while we read is found by the read.
        if let Err(error) = sent
            && !matches!(error, tungstenite::Error::ConnectionClosed | tungstenite::Error::Io(_))
        {
            return Err(error.into());
        }
        Ok(())
    }
}
