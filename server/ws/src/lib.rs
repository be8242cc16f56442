//! The WebSocket protocol (RFC 6455) with permessage-deflate (RFC 7692), as a codec that does no
//! I/O.
//!
//! Bytes go in, checked messages come out; frames come out ready to be written. There is no
//! socket, clock, task or random number here, so every rule can be tested byte by byte.
//!
//! What sets it apart is what a server with many viewers of the same thing needs:
//!
//! * **Bodies are shared.** A [`Frame`] is a small head beside a reference-counted body, the same
//!   for every connection. With permessage-deflate a body is compressed once, by
//!   [`deflate::compress`], since no connection has a context of its own.
//! * **A quiet connection is small.** Between messages a connection keeps no window and no buffer.
//! * **Limits hold before memory is taken**: on declared lengths, on the inflated size, and on the
//!   number of fragments.
//! * **It fails fast.** A wrong byte is an error when it arrives; each [`Error`] knows its
//!   [close code](Error::close_code).
//!
//! # Example
//!
//! A server that answers pings and sends every text back:
//!
//! ```
//! use ws::{Close, Codec, Config, Event, Frame, Upgrade};
//!
//! // 1. The request, as an HTTP library parsed it. Check Origin and Host yourself.
//! let upgrade = Upgrade::from_request(
//!     "GET",
//!     [
//!         ("connection", "Upgrade"),
//!         ("upgrade", "websocket"),
//!         ("sec-websocket-version", "13"),
//!         ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
//!         ("sec-websocket-extensions", "permessage-deflate; client_max_window_bits"),
//!     ],
//! )?;
//! let answer = upgrade.answer(None); // to be sent with status 101
//! # assert_eq!(answer.len(), 4);
//!
//! // 2. The connection.
//! let mut codec = Codec::server(Config { deflate: upgrade.deflate, ..Config::default() });
//! let mut socket = Vec::new(); // what we write
//! codec.on_bytes(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"); // what we read
//! while let Some(event) = codec.poll_event() {
//!     let frame = match event {
//!         Ok(Event::Text(text)) => {
//!             let deflated = if codec.takes_deflated() {
//!                 ws::deflate::compress(text.as_bytes())
//!             } else {
//!                 None
//!             };
//!             Some(deflated.map_or_else(|| Frame::text(text), Frame::deflated_text))
//!         }
//!         Ok(Event::Ping(payload)) => Some(Frame::pong(payload)),
//!         Ok(Event::Close(close)) => codec.close(&close.reply()),
//!         Ok(Event::Binary(_) | Event::Pong(_)) => None,
//!         Err(error) => codec.close(&Close::from(error)),
//!     };
//!     if let Some(frame) = frame {
//!         socket.extend_from_slice(frame.head());
//!         socket.extend_from_slice(frame.body());
//!     }
//! }
//! assert_eq!(socket, b"\x81\x05Hello");
//! # Ok::<(), ws::HeadError>(())
//! ```
//!
//! # Modules
//!
//! [`head`] the handshake · [`offer`] its compression offers · [`frame`] headers and masks ·
//! `fragment` messages from frames, within limits · `utf8` text as it arrives · [`deflate`]
//! compression · [`close`] codes and reasons · [`decode`] and [`encode`] the two directions ·
//! [`codec`] both of one connection.

pub mod close;
pub mod codec;
pub mod decode;
pub mod deflate;
pub mod encode;
pub mod error;
pub mod event;
mod fragment;
pub mod frame;
pub mod head;
pub mod offer;
mod utf8;

pub use close::{Close, CloseCode};
pub use codec::{Codec, Config};
pub use decode::{Decoder, Role};
pub use deflate::Deflated;
pub use encode::Frame;
pub use error::Error;
pub use event::{ControlPayload, Event};
pub use head::{HeadError, Upgrade};
pub use offer::Agreement;
