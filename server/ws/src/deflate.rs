//! permessage-deflate (RFC 7692) without context takeover, so one compressed body serves everyone.
//!
//! Without takeover every message stands alone: it is compressed once, whoever receives it, and no
//! connection keeps a window of 32 KiB between messages. The price is a worse ratio on small
//! messages, so those are better sent plain.

use std::fmt;

use bytes::Bytes;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::error::Error;
use crate::fragment::make_room;

/// Shorter bodies are sent plain: what they would save is less than what it costs.
pub const MIN_DEFLATE_BYTES: usize = 1024;

/// Window of every body [`compress`] makes, in bits.
pub const WINDOW_BITS: u8 = 15;

/// Level 1 costs half of level 2 and a third of level 6 on 8 KiB of a build's output, and already
/// leaves a quarter of it; the others leave a sixth.
const LEVEL: u32 = 1;

/// What ends a sync flush, and is left out of a message.
const SYNC_END: [u8; 4] = [0x00, 0x00, 0xff, 0xff];

/// First guess for what a piece inflates to.
const FIRST_ROOM_BYTES: usize = 1024;

/// The body of a compressed message, without its header. Cloning it copies nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Deflated(Bytes);

impl Deflated {
    /// The compressed bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl fmt::Debug for Deflated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Deflated({} bytes)", self.0.len())
    }
}

/// Compresses one message body; `None` when it is better sent plain: it is shorter than
/// [`MIN_DEFLATE_BYTES`], or does not shrink.
///
/// Making a compressor costs half as much as compressing 8 KiB does: whoever compresses often
/// keeps a [`Deflater`].
pub fn compress(body: &[u8]) -> Option<Deflated> {
    if body.len() < MIN_DEFLATE_BYTES { None } else { Deflater::new().compress(body) }
}

/// A compressor that can be used again.
pub struct Deflater {
    stream: Compress,
}

impl Deflater {
    /// A compressor; it takes about 300 KiB.
    pub fn new() -> Self {
        Self { stream: Compress::new(Compression::new(LEVEL), false) }
    }

    /// Compresses one message body, as [`compress`] does. Nothing of it is remembered for the
    /// next.
    pub fn compress(&mut self, body: &[u8]) -> Option<Deflated> {
        if body.len() < MIN_DEFLATE_BYTES {
            return None;
        }
        // Whatever does not fit here has not shrunk.
        let mut out = Vec::with_capacity(body.len());
        self.stream.reset();
        let status = self.stream.compress_vec(body, &mut out, FlushCompress::Sync);
        let all_in = u64::try_from(body.len()) == Ok(self.stream.total_in());
        if status.is_err() || !all_in || out.len() == out.capacity() {
            return None;
        }
        let end = out.len().checked_sub(SYNC_END.len()).filter(|end| *end < body.len())?;
        debug_assert_eq!(out[end..], SYNC_END, "a sync flush always ends so");
        out.truncate(end);
        out.shrink_to_fit();
        Some(Deflated(Bytes::from(out)))
    }
}

impl Default for Deflater {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Deflater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deflater").finish_non_exhaustive()
    }
}

/// One compressed message being read.
pub(crate) struct Inflate {
    stream: Decompress,
    /// Whether the last byte taken ended a final block.
    at_end: bool,
}

impl Inflate {
    /// What to feed after a message: the end of the sync flush that the sender left out, then an
    /// empty final block. The second part is read as such only if the message stopped between
    /// blocks, which is how a cut message is told from a whole one.
    pub(crate) const TAIL: &[u8] = &[0x00, 0x00, 0xff, 0xff, 0x01, 0x00, 0x00, 0xff, 0xff];

    pub(crate) fn new() -> Self {
        // A window of 15 bits reads what any smaller one wrote.
        Self { stream: Decompress::new(false), at_end: false }
    }

    /// Inflates some of `input` onto the end of `body`; whether to call again.
    ///
    /// What was inflated before an error stands in `body`.
    pub(crate) fn step(
        &mut self,
        input: &mut &[u8],
        body: &mut Vec<u8>,
        limit_bytes: usize,
    ) -> Result<bool, Error> {
        if body.len() >= limit_bytes {
            return self.step_at_limit(input, limit_bytes);
        }
        if body.len() == body.capacity() {
            let room = FIRST_ROOM_BYTES.max(input.len());
            make_room(body, room.min(limit_bytes - body.len()), limit_bytes);
        }
        let (before, made) = (self.stream.total_in(), body.len());
        let status = self.stream.decompress_vec(input, body, FlushDecompress::Sync);
        let moved = self.on_step(before, input, status)? || body.len() > made;
        if body.len() > limit_bytes {
            return Err(Error::TooBig { limit_bytes });
        }
        // Full: there may be more output even without more input.
        Ok(moved && (!input.is_empty() || body.len() == body.capacity()))
    }

    /// A message at its limit may still hold blocks that say nothing.
    fn step_at_limit(&mut self, input: &mut &[u8], limit_bytes: usize) -> Result<bool, Error> {
        let (before, made) = (self.stream.total_in(), self.stream.total_out());
        let status = self.stream.decompress(input, &mut [0], FlushDecompress::Sync);
        if self.stream.total_out() > made {
            return Err(Error::TooBig { limit_bytes });
        }
        let moved = self.on_step(before, input, status)?;
        Ok(moved && !input.is_empty())
    }

    /// Accounts for one call; whether it moved on in the input.
    fn on_step(
        &mut self,
        before: u64,
        input: &mut &[u8],
        status: Result<Status, flate2::DecompressError>,
    ) -> Result<bool, Error> {
        let status = status.map_err(|_| Error::CorruptDeflate)?;
        let used = usize::try_from(self.stream.total_in() - before).unwrap_or(input.len());
        *input = &input[used..];
        let ended = status == Status::StreamEnd;
        if ended {
            // A sender that cannot sync-flush ends each flush with a final block; what follows
            // is a stream of its own.
            self.stream.reset(false);
        }
        if used > 0 || ended {
            self.at_end = ended;
        }
        Ok(used > 0 || ended)
    }

    /// Whether the last byte taken ended a final block: true after [`TAIL`](Self::TAIL) when the
    /// message was whole.
    pub(crate) fn is_complete(&self) -> bool {
        self.at_end
    }
}

impl fmt::Debug for Inflate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflate").field("at_end", &self.at_end).finish_non_exhaustive()
    }
}
