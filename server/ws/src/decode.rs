//! Bytes in, events out, with nothing kept but what is unfinished.
//!
//! A decoder owns no input buffer: it takes what it needs from the caller's and remembers at most
//! a partial header, a partial control frame and the message under way. After the first error or
//! the peer's close it reads nothing more, and says so by taking all input and giving no event.

use bytes::Bytes;

use crate::close::Close;
use crate::error::Error;
use crate::event::{ControlPayload, Event};
use crate::fragment::Assembly;
use crate::frame::{Header, MAX_CONTROL_BYTES, MAX_HEAD_BYTES, Mask, Opcode};

/// Which end of the connection we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// We accepted: the peer masks, we do not.
    Server,
    /// We connected: we mask, the peer does not.
    Client,
}

/// The receiving half of a connection.
///
/// [`Codec`](crate::Codec) wraps it in an input buffer; take the decoder itself when many
/// connections share one read buffer.
#[derive(Debug)]
pub struct Decoder {
    role: Role,
    phase: Phase,
    /// The header under way; only the first `head_len` bytes count.
    head: [u8; MAX_HEAD_BYTES],
    head_len: usize,
    /// The control payload under way; only the first `control_len` bytes count.
    control: [u8; MAX_CONTROL_BYTES],
    control_len: usize,
    assembly: Assembly,
}

#[derive(Debug)]
enum Phase {
    Head,
    Payload(Payload),
    /// An error was found or a close received.
    Ended,
}

#[derive(Debug, Clone, Copy)]
struct Payload {
    opcode: Opcode,
    fin: bool,
    mask: Option<Mask>,
    /// Bytes still to come.
    left: u64,
}

impl Decoder {
    /// A decoder at the start of a connection. `deflate` says that permessage-deflate was agreed
    /// on, with no context takeover by the peer.
    pub fn new(role: Role, max_message_bytes: usize, deflate: bool) -> Self {
        Self {
            role,
            phase: Phase::Head,
            head: [0; MAX_HEAD_BYTES],
            head_len: 0,
            control: [0; MAX_CONTROL_BYTES],
            control_len: 0,
            assembly: Assembly::new(max_message_bytes, deflate),
        }
    }

    /// Takes bytes from the front of `input` until an event is complete; `None` when the input
    /// is used up. Call it until then.
    ///
    /// # Errors
    ///
    /// The first time the input can no longer be valid. Close with [`Error::close_code`]; all
    /// later input is ignored.
    pub fn decode(&mut self, input: &mut &[u8]) -> Result<Option<Event>, Error> {
        let outcome = self.run(input);
        if matches!(outcome, Err(_) | Ok(Some(Event::Close(_)))) {
            self.phase = Phase::Ended;
            // The message under way can never complete.
            self.assembly = Assembly::new(0, false);
        }
        outcome
    }

    /// Whether an error was found or a close received: no event will follow.
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// Memory the unfinished message takes. Never more than the message limit.
    pub fn held_bytes(&self) -> usize {
        self.assembly.held_bytes()
    }

    fn run(&mut self, input: &mut &[u8]) -> Result<Option<Event>, Error> {
        loop {
            match &mut self.phase {
                Phase::Ended => {
                    *input = &[];
                    return Ok(None);
                }
                Phase::Head => match self.take_header(input)? {
                    Some(header) => self.phase = Phase::Payload(self.judge(&header)?),
                    None => return Ok(None),
                },
                Phase::Payload(payload) => {
                    let mut payload = *payload;
                    self.take_payload(input, &mut payload)?;
                    if payload.left > 0 {
                        self.phase = Phase::Payload(payload);
                        return Ok(None);
                    }
                    self.phase = Phase::Head;
                    if let Some(event) = self.end_frame(&payload)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
    }

    fn take_header(&mut self, input: &mut &[u8]) -> Result<Option<Header>, Error> {
        let old = self.head_len;
        let offered = input.len().min(MAX_HEAD_BYTES - old);
        self.head[old..old + offered].copy_from_slice(&input[..offered]);
        let parsed = Header::parse(&self.head[..old + offered])?;
        let (header, taken) = match parsed {
            // What was there before did not make a header, so it ends in what was offered.
            Some((header, used)) => (Some(header), used - old),
            None => (None, offered),
        };
        self.head_len = if header.is_some() { 0 } else { old + offered };
        *input = &input[taken..];
        Ok(header)
    }

    fn judge(&mut self, header: &Header) -> Result<Payload, Error> {
        match (self.role, header.mask) {
            (Role::Server, None) => return Err(Error::Unmasked),
            (Role::Client, Some(_)) => return Err(Error::Masked),
            (Role::Server, Some(_)) | (Role::Client, None) => {}
        }
        if !header.opcode.is_control() {
            self.assembly.on_header(header)?;
        } else if header.rsv1 {
            return Err(Error::ReservedBit);
        }
        Ok(Payload {
            opcode: header.opcode,
            fin: header.fin,
            mask: header.mask.map(Mask::new),
            left: header.payload_bytes,
        })
    }

    fn take_payload(&mut self, input: &mut &[u8], payload: &mut Payload) -> Result<(), Error> {
        let wanted = usize::try_from(payload.left).unwrap_or(usize::MAX);
        let (chunk, rest) = input.split_at(wanted.min(input.len()));
        *input = rest;
        payload.left -= u64::try_from(chunk.len()).unwrap_or(payload.left);
        if !payload.opcode.is_control() {
            let last = payload.fin && payload.left == 0;
            return self.assembly.on_payload(chunk, payload.mask.as_mut(), last);
        }
        let end = self.control_len + chunk.len();
        let control = &mut self.control[self.control_len..end];
        control.copy_from_slice(chunk);
        if let Some(mask) = &mut payload.mask {
            mask.apply(control);
        }
        self.control_len = end;
        Ok(())
    }

    fn end_frame(&mut self, payload: &Payload) -> Result<Option<Event>, Error> {
        let control = &self.control[..std::mem::take(&mut self.control_len)];
        let measured = |bytes| ControlPayload::measured(Bytes::copy_from_slice(bytes));
        match payload.opcode {
            Opcode::Close => Ok(Some(Event::Close(Close::parse(control)?))),
            Opcode::Ping => Ok(Some(Event::Ping(measured(control)))),
            Opcode::Pong => Ok(Some(Event::Pong(measured(control)))),
            Opcode::Continuation | Opcode::Text | Opcode::Binary if payload.fin => {
                self.assembly.on_end()
            }
            Opcode::Continuation | Opcode::Text | Opcode::Binary => Ok(None),
        }
    }
}
