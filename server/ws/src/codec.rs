//! One connection: what was received, and whether a close has been sent.
//!
//! A codec decides nothing about when to read or write. The driver feeds it what the socket gave,
//! takes events until there are none, and writes the frames it makes itself.

use crate::close::Close;
use crate::decode::{Decoder, Role};
use crate::encode::Frame;
use crate::error::Error;
use crate::event::Event;
use crate::offer::Agreement;

/// Longest message taken unless said otherwise, after inflation.
pub const DEFAULT_MAX_MESSAGE_BYTES: usize = 16 << 20;

/// Input memory kept between reads; more is given back once it is used up.
const IDLE_INPUT_BYTES: usize = 4096;

/// What a connection allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Longest message, after inflation; a longer one closes the connection with 1009.
    pub max_message_bytes: usize,
    /// What the handshake agreed on about compression.
    pub deflate: Option<Agreement>,
}

impl Default for Config {
    fn default() -> Self {
        Self { max_message_bytes: DEFAULT_MAX_MESSAGE_BYTES, deflate: None }
    }
}

/// One end of one connection.
#[derive(Debug)]
pub struct Codec {
    decoder: Decoder,
    deflate: Option<Agreement>,
    /// Bytes fed; those before `taken` are decoded.
    input: Vec<u8>,
    taken: usize,
    /// Set once a close frame was handed out.
    close_sent: bool,
}

impl Codec {
    /// The accepting end.
    pub fn server(config: Config) -> Self {
        Self::new(Role::Server, config)
    }

    /// The connecting end. Every frame it sends must be [`masked`](Frame::masked).
    pub fn client(config: Config) -> Self {
        Self::new(Role::Client, config)
    }

    fn new(role: Role, config: Config) -> Self {
        let Config { max_message_bytes, deflate } = config;
        let decoder = Decoder::new(role, max_message_bytes, deflate.is_some());
        Self { decoder, deflate, input: Vec::new(), taken: 0, close_sent: false }
    }

    /// Takes what the socket gave. Call [`poll_event`](Self::poll_event) until it has nothing
    /// more before feeding again: then the codec never holds more input than one read.
    ///
    /// Input after the peer's close or after an error is ignored, as RFC 6455 asks.
    pub fn on_bytes(&mut self, bytes: &[u8]) {
        if self.decoder.is_ended() {
            return;
        }
        if self.taken > 0 {
            self.input.drain(..self.taken);
            self.taken = 0;
        }
        self.input.extend_from_slice(bytes);
    }

    /// The next event, or the error that ends the connection; `None` when more input is needed.
    ///
    /// After an error or [`Event::Close`] there is nothing more, ever.
    pub fn poll_event(&mut self) -> Option<Result<Event, Error>> {
        let mut rest = &self.input[self.taken..];
        let outcome = self.decoder.decode(&mut rest);
        self.taken = self.input.len() - rest.len();
        if rest.is_empty() || self.decoder.is_ended() {
            self.taken = 0;
            self.input.clear();
            self.input.shrink_to(IDLE_INPUT_BYTES);
        }
        outcome.transpose()
    }

    /// Whether an error was found or a close received: no event will follow, and the socket need
    /// not be read.
    pub fn is_ended(&self) -> bool {
        self.decoder.is_ended()
    }

    /// The close frame to send, the first time; `None` when one has been sent already.
    ///
    /// It opens the closing handshake, or answers the peer's with [`Close::reply`], or tells of
    /// an error with [`Close::from`]. After it nothing else may be sent.
    pub fn close(&mut self, close: &Close) -> Option<Frame> {
        (!std::mem::replace(&mut self.close_sent, true)).then(|| Frame::close(close))
    }

    /// Whether a close frame was handed out: no further frame may be sent.
    pub fn is_closing(&self) -> bool {
        self.close_sent
    }

    /// Whether the peer takes bodies made by [`deflate::compress`](crate::deflate::compress).
    ///
    /// A peer that asked for a window smaller than the shared bodies use is sent plain ones,
    /// which every agreement allows.
    pub fn takes_deflated(&self) -> bool {
        self.deflate.is_some_and(|agreement| agreement.takes_shared_bodies())
    }

    /// Memory that waits in this codec: input not decoded yet and the unfinished message.
    pub fn held_bytes(&self) -> usize {
        self.input.capacity() + self.decoder.held_bytes()
    }
}
