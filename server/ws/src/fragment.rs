//! Putting a message together from its frames, inside the limits.
//!
//! Limits are judged before memory is taken: on the declared length when a header arrives, and on
//! every piece that inflates. Memory grows with the bytes that arrived, never with the bytes that
//! were promised, so a peer that declares 16 MiB and sends nothing costs nothing.

use bytes::Bytes;

use crate::deflate::Inflate;
use crate::error::Error;
use crate::event::Event;
use crate::frame::{Header, Mask, Opcode};
use crate::utf8::Utf8;

/// Fragments a message may have whatever their size.
const FREE_FRAGMENTS: u64 = 1024;

/// Past [`FREE_FRAGMENTS`], the payload each further fragment must bring on average. Without it,
/// a message of empty fragments never ends and passes no other limit.
const FRAGMENT_BYTES: u64 = 32;

/// Payload that is unmasked at a time before it is inflated.
const UNMASK_BYTES: usize = 4096;

/// What a message holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Binary,
}

/// The message under way on one connection, if any.
#[derive(Debug)]
pub(crate) struct Assembly {
    /// Longest message, after inflation.
    limit_bytes: usize,
    /// Whether permessage-deflate was agreed on.
    deflate: bool,
    /// None between messages.
    open: Option<Message>,
}

#[derive(Debug)]
struct Message {
    kind: Kind,
    /// Frames so far.
    fragments: u64,
    /// Payload declared so far, as on the wire.
    declared_bytes: u64,
    /// Unmasked and inflated. Never past the limit.
    body: Vec<u8>,
    utf8: Utf8,
    /// Set when the message is compressed; lives no longer than the message, since its window
    /// is larger than everything else a connection keeps.
    inflate: Option<Inflate>,
}

impl Assembly {
    pub(crate) fn new(limit_bytes: usize, deflate: bool) -> Self {
        Self { limit_bytes, deflate, open: None }
    }

    /// Judges the header of a data frame and makes ready for its payload.
    pub(crate) fn on_header(&mut self, header: &Header) -> Result<(), Error> {
        let message = match (header.opcode, self.open.take()) {
            (Opcode::Continuation, None) => return Err(Error::StrayContinuation),
            (Opcode::Continuation, Some(_)) if header.rsv1 => return Err(Error::ReservedBit),
            (Opcode::Continuation, Some(message)) => message,
            (_, Some(_)) => return Err(Error::InterleavedMessage),
            (_, None) if header.rsv1 && !self.deflate => return Err(Error::ReservedBit),
            (opcode, None) => Message {
                kind: if opcode == Opcode::Text { Kind::Text } else { Kind::Binary },
                fragments: 0,
                declared_bytes: 0,
                body: Vec::new(),
                utf8: Utf8::default(),
                inflate: header.rsv1.then(Inflate::new),
            },
        };
        let message = self.open.insert(message);
        message.fragments += 1;
        message.declared_bytes = message.declared_bytes.saturating_add(header.payload_bytes);

        // Noise grows when it is deflated all the same: by an eighth at worst, with fixed codes.
        let limit = u64::try_from(self.limit_bytes).unwrap_or(u64::MAX);
        let growth = if message.inflate.is_some() { limit / 8 + 64 } else { 0 };
        if message.declared_bytes > limit.saturating_add(growth) {
            return Err(Error::TooBig { limit_bytes: self.limit_bytes });
        }
        if message.fragments > FREE_FRAGMENTS + message.declared_bytes / FRAGMENT_BYTES {
            return Err(Error::TooManyFragments);
        }
        Ok(())
    }

    /// Takes the next bytes of a data frame's payload. `last` says that they complete the message.
    pub(crate) fn on_payload(
        &mut self,
        chunk: &[u8],
        mask: Option<&mut Mask>,
        last: bool,
    ) -> Result<(), Error> {
        let limit = self.limit_bytes;
        let Some(message) = &mut self.open else { return Ok(()) };
        if message.inflate.is_none() {
            return message.append(chunk, mask, last, limit);
        }
        let Some(mask) = mask else { return message.inflate(chunk, limit) };
        let mut scratch = [0; UNMASK_BYTES];
        for piece in chunk.chunks(UNMASK_BYTES) {
            let scratch = &mut scratch[..piece.len()];
            scratch.copy_from_slice(piece);
            mask.apply(scratch);
            message.inflate(scratch, limit)?;
        }
        Ok(())
    }

    /// Ends the message whose final frame has arrived in full.
    pub(crate) fn on_end(&mut self) -> Result<Option<Event>, Error> {
        let Some(mut message) = self.open.take() else { return Ok(None) };
        message.finish(self.limit_bytes)?;
        Ok(Some(match message.kind {
            Kind::Text => Event::Text(String::from_utf8(message.body).map_err(|_| Error::NotUtf8)?),
            Kind::Binary => Event::Binary(Bytes::from(message.body)),
        }))
    }

    /// Memory the unfinished message's body takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |message| message.body.capacity())
    }
}

impl Message {
    fn append(
        &mut self,
        chunk: &[u8],
        mask: Option<&mut Mask>,
        last: bool,
        limit: usize,
    ) -> Result<(), Error> {
        make_room(&mut self.body, chunk.len(), limit);
        let start = self.body.len();
        self.body.extend_from_slice(chunk);
        if let Some(mask) = mask {
            mask.apply(&mut self.body[start..]);
        }
        // The last piece is checked when the body becomes a string.
        if last { Ok(()) } else { self.check_text() }
    }

    fn inflate(&mut self, mut chunk: &[u8], limit: usize) -> Result<(), Error> {
        let Some(mut inflate) = self.inflate.take() else { return Ok(()) };
        loop {
            // Text before a corrupt place is judged first, so that the verdict does not depend on
            // how the input was cut.
            let step = inflate.step(&mut chunk, &mut self.body, limit);
            self.check_text()?;
            if !step? {
                break;
            }
        }
        self.inflate = Some(inflate);
        Ok(())
    }

    fn finish(&mut self, limit: usize) -> Result<(), Error> {
        // A compressed message of no bytes at all is not what RFC 7692 asks for, and harmless.
        if self.inflate.is_none() || self.declared_bytes == 0 {
            return Ok(());
        }
        self.inflate(Inflate::TAIL, limit)?;
        match &self.inflate {
            Some(inflate) if !inflate.is_complete() => Err(Error::CorruptDeflate),
            _ => Ok(()),
        }
    }

    fn check_text(&mut self) -> Result<(), Error> {
        match self.kind {
            Kind::Text => self.utf8.on_growth(&self.body),
            Kind::Binary => Ok(()),
        }
    }
}

/// Makes room for `more` bytes: doubling, so that the cost of copying stays linear, yet never
/// past `limit` unless what is asked for is.
pub(crate) fn make_room(body: &mut Vec<u8>, more: usize, limit: usize) {
    let needed = body.len().saturating_add(more);
    if needed > body.capacity() {
        let target = body.capacity().saturating_mul(2).min(limit).max(needed);
        body.reserve_exact(target - body.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_takes_no_memory() {
        let mut assembly = Assembly::new(16 << 20, false);
        assert_eq!(assembly.on_header(&head(true, Opcode::Binary, 16 << 20)), Ok(()));
        assert_eq!(assembly.held_bytes(), 0);
        assert_eq!(assembly.on_payload(&[0; 1000], None, false), Ok(()));
        assert_eq!(assembly.held_bytes(), 1000);
    }

    #[test]
    fn room_doubles_up_to_the_limit() {
        let mut body = Vec::new();
        let mut moves = 0;
        for _ in 0..1000 {
            let before = body.capacity();
            make_room(&mut body, 1, 1000);
            moves += usize::from(body.capacity() != before);
            body.push(0);
        }
        assert_eq!(body.capacity(), 1000);
        assert!(moves <= 12, "{moves}");
    }

    #[test]
    fn fragments_are_summed_before_the_limit_is_judged() {
        let mut assembly = Assembly::new(1000, false);
        assert_eq!(assembly.on_header(&head(false, Opcode::Binary, 600)), Ok(()));
        assert_eq!(
            assembly.on_header(&head(true, Opcode::Continuation, 401)),
            Err(Error::TooBig { limit_bytes: 1000 }),
        );
    }

    #[test]
    fn a_flood_of_empty_fragments_ends() {
        let mut assembly = Assembly::new(16 << 20, false);
        assert_eq!(assembly.on_header(&head(false, Opcode::Text, 0)), Ok(()));
        let verdicts = (0..FREE_FRAGMENTS)
            .map(|_| assembly.on_header(&head(false, Opcode::Continuation, 0)))
            .find(Result::is_err);
        assert_eq!(verdicts, Some(Err(Error::TooManyFragments)));
    }

    #[test]
    fn honest_small_fragments_may_make_the_largest_message() {
        let mut assembly = Assembly::new(16 << 20, false);
        assert_eq!(assembly.on_header(&head(false, Opcode::Text, 64)), Ok(()));
        for _ in 1..(16 << 20) / 64 {
            assert_eq!(assembly.on_header(&head(false, Opcode::Continuation, 64)), Ok(()));
        }
    }

    fn head(fin: bool, opcode: Opcode, payload_bytes: u64) -> Header {
        Header { fin, rsv1: false, opcode, mask: None, payload_bytes }
    }
}
