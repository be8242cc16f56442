//! The recent output of one session, by [`Seq`], for whoever records it.
//!
//! The ring decides what may be forgotten. Durable output may go, all but the last
//! [`CONTEXT_BYTES`] of it: a recorder that starts anew needs them to know in which secret, if any,
//! it starts. Output that is not durable stays until [`RING_BYTES`] of it are held; past that the
//! oldest is evicted and [`Ring::push`] names what was lost. Whoever wants to lose nothing asks
//! [`Ring::undurable_bytes`] first and waits.

use std::collections::VecDeque;

use wire::{Seq, Span, limits};

/// Most output that is held and not durable.
pub const RING_BYTES: u64 = limits::RING_BYTES;
/// What is held when everything is durable.
pub const DURABLE_BYTES: u64 = 1024 * 1024;
/// Durable output that is never forgotten before what follows it.
pub const CONTEXT_BYTES: u64 = 128 * 1024;
/// Bytes in a full chunk. The first chunk grows up to it, so an idle session costs little.
const CHUNK_BYTES: usize = 64 * 1024;
/// What the first chunk starts with.
const FIRST_CHUNK_BYTES: usize = 4 * 1024;
/// A chunk notes the time once in so many bytes at most ...
const STAMP_BYTES: u64 = 256;
/// ... or once in so many milliseconds, whatever the bytes.
const STAMP_MS: u64 = 1_000;

/// The recent output of one session.
#[derive(Debug, Default)]
pub struct Ring {
    /// In order of Seq, each starting where the one before ends. None is empty.
    chunks: VecDeque<Chunk>,
    /// One past the last byte ever pushed.
    end: Seq,
    /// Everything before is stored. Never past `end`.
    durable: Seq,
}

/// A stretch of output in one allocation.
#[derive(Debug)]
struct Chunk {
    from: Seq,
    bytes: Vec<u8>,
    /// When the byte at an offset was printed, in milliseconds since 1970; the first stands at
    /// `from`.
    stamps: Vec<(Seq, u64)>,
}

/// Output that the ring does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// It was forgotten: the oldest byte left is at `from`.
    #[error("output before {from} is gone")]
    Gone {
        /// The oldest byte left.
        from: Seq,
    },
    /// Nobody has printed it yet: the session's output ends at `end`.
    #[error("the output ends at {end}")]
    Ahead {
        /// One past the last byte.
        end: Seq,
    },
}

impl Ring {
    /// An empty ring of a new session.
    pub fn new() -> Self {
        Self::default()
    }

    /// The oldest byte held; the end when nothing is held.
    pub fn from(&self) -> Seq {
        self.chunks.front().map_or(self.end, |chunk| chunk.from)
    }

    /// One past the last byte.
    pub fn end(&self) -> Seq {
        self.end
    }

    /// Everything before is stored.
    pub fn durable(&self) -> Seq {
        self.durable
    }

    /// Bytes held that are not durable.
    pub fn undurable_bytes(&self) -> u64 {
        self.end.bytes_since(self.durable.max(self.from()))
    }

    /// Appends output printed at `at_ms`. Answers what had to be evicted before it was durable.
    pub fn push(&mut self, mut bytes: &[u8], at_ms: u64) -> Option<Span> {
        let had = self.durable.max(self.from());
        while !bytes.is_empty() {
            let chunk = self.open_chunk();
            let (head, rest) = bytes.split_at(bytes.len().min(CHUNK_BYTES - chunk.bytes.len()));
            chunk.append(head, at_ms);
            self.end = self.end.advance(size(head));
            bytes = rest;
        }
        self.forget_durable();
        while self.undurable_bytes() > RING_BYTES {
            self.chunks.pop_front();
        }
        let kept = self.durable.max(self.from());
        (kept > had).then_some(Span { from: had, to: kept })
    }

    /// Everything before `durable` is stored. An older offset changes nothing.
    pub fn on_durable(&mut self, durable: Seq) {
        self.durable = self.durable.max(durable.min(self.end));
        self.forget_durable();
    }

    /// Up to `max_bytes` of output from `from` on, as the slices that hold it.
    ///
    /// # Errors
    ///
    /// [`Missing`] when `from` was forgotten or lies ahead.
    pub fn since(&self, from: Seq, max_bytes: usize) -> Result<Vec<&[u8]>, Missing> {
        if from < self.from() {
            return Err(Missing::Gone { from: self.from() });
        }
        if from > self.end {
            return Err(Missing::Ahead { end: self.end });
        }
        let mut slices = Vec::new();
        let mut left = max_bytes;
        for chunk in self.chunks.iter().skip(self.chunk_of(from)) {
            let skip = usize::try_from(from.bytes_since(chunk.from)).unwrap_or(usize::MAX);
            let slice = chunk.bytes.get(skip..).unwrap_or_default();
            let slice = slice.get(..left).unwrap_or(slice);
            left -= slice.len();
            if !slice.is_empty() {
                slices.push(slice);
            }
            if left == 0 {
                break;
            }
        }
        Ok(slices)
    }

    /// When the byte at `seq` was printed, in milliseconds since 1970, to within a second or
    /// 256 bytes; none when it is not held.
    pub fn at_ms(&self, seq: Seq) -> Option<u64> {
        let chunk = self.chunks.get(self.chunk_of(seq))?;
        chunk.stamps.iter().rev().find(|(from, _)| *from <= seq).map(|(_, at_ms)| *at_ms)
    }

    /// Bytes allocated, for the numbers of `/metrics`.
    pub fn allocated_bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes.capacity()).sum()
    }

    /// The chunk that takes the next byte.
    fn open_chunk(&mut self) -> &mut Chunk {
        if self.chunks.back().is_none_or(|last| last.bytes.len() == CHUNK_BYTES) {
            let first = self.end == Seq::ZERO;
            let room = if first { FIRST_CHUNK_BYTES } else { CHUNK_BYTES };
            let bytes = Vec::with_capacity(room);
            self.chunks.push_back(Chunk { from: self.end, bytes, stamps: Vec::new() });
        }
        self.chunks.back_mut().expect("one was just pushed")
    }

    /// Frees chunks that nobody needs any more.
    fn forget_durable(&mut self) {
        let needed = self.durable.back(CONTEXT_BYTES);
        while self.end.bytes_since(self.from()) > DURABLE_BYTES
            && self.chunks.front().is_some_and(|chunk| chunk.end() <= needed)
        {
            self.chunks.pop_front();
        }
    }

    /// Index of the chunk that holds `seq`, or of where it would be.
    fn chunk_of(&self, seq: Seq) -> usize {
        self.chunks.partition_point(|chunk| chunk.end() <= seq)
    }
}

impl Chunk {
    fn end(&self) -> Seq {
        self.from.advance(size(&self.bytes))
    }

    /// Appends what fits; the caller has cut it.
    fn append(&mut self, bytes: &[u8], at_ms: u64) {
        let end = self.end();
        let noted = self.stamps.last().is_none_or(|(from, noted_ms)| {
            at_ms != *noted_ms
                && (end.bytes_since(*from) >= STAMP_BYTES || at_ms.abs_diff(*noted_ms) >= STAMP_MS)
        });
        if noted {
            self.stamps.push((end, at_ms));
        }
        let wanted = self.bytes.len() + bytes.len();
        if wanted > self.bytes.capacity() {
            let room = (self.bytes.capacity() * 2).clamp(wanted, CHUNK_BYTES);
            self.bytes.reserve_exact(room - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
    }
}

/// A length as Seq counts it.
fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("a length fits 64 bits")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(ring: &Ring, from: Seq, max: usize) -> Vec<u8> {
        ring.since(from, max).unwrap().concat()
    }

    #[test]
    fn an_empty_ring_has_nothing_and_says_where_it_ends() {
        let ring = Ring::new();
        assert_eq!(all(&ring, Seq::ZERO, 10), b"");
        assert_eq!(ring.since(Seq(1), 10), Err(Missing::Ahead { end: Seq::ZERO }));
        assert_eq!(ring.at_ms(Seq::ZERO), None);
    }

    #[test]
    fn undurable_output_past_the_limit_is_evicted_and_named() {
        let mut ring = Ring::new();
        let chunk = vec![b'x'; CHUNK_BYTES];
        for _ in 0..RING_BYTES / size(&chunk) {
            assert_eq!(ring.push(&chunk, 0), None);
        }
        let gap = ring.push(b"y", 0).unwrap();
        assert_eq!(gap, Span { from: Seq::ZERO, to: Seq(size(&chunk)) });
        assert_eq!(ring.since(Seq::ZERO, 1), Err(Missing::Gone { from: gap.to }));
        assert!(ring.undurable_bytes() <= RING_BYTES);
    }

    #[test]
    fn durable_output_goes_but_for_what_a_new_recorder_needs() {
        let mut ring = Ring::new();
        for _ in 0..64 {
            ring.push(&vec![b'x'; CHUNK_BYTES], 0);
        }
        ring.on_durable(ring.end());
        assert_eq!(ring.end().bytes_since(ring.from()), DURABLE_BYTES);

        let durable = ring.end();
        for _ in 0..64 {
            ring.push(&vec![b'y'; CHUNK_BYTES], 0);
        }
        assert_eq!(durable.bytes_since(ring.from()), CONTEXT_BYTES);
        assert_eq!(ring.durable(), durable);
    }

    #[test]
    fn an_older_durable_offset_changes_nothing_and_none_passes_the_end() {
        let mut ring = Ring::new();
        ring.push(b"hello", 0);
        ring.on_durable(Seq(3));
        ring.on_durable(Seq(1));
        assert_eq!(ring.durable(), Seq(3));
        ring.on_durable(Seq(99));
        assert_eq!(ring.durable(), Seq(5));
    }

    #[test]
    fn an_idle_session_costs_little() {
        let mut ring = Ring::new();
        ring.push(b"$ ", 0);
        assert!(ring.allocated_bytes() <= FIRST_CHUNK_BYTES);
    }

    #[test]
    fn a_byte_knows_about_when_it_was_printed() {
        let mut ring = Ring::new();
        ring.push(b"a", 1_000);
        ring.push(b"b", 1_001);
        ring.push(b"c", 2_500);
        ring.push(&[b'd'; 300], 2_501);
        ring.push(b"e", 2_502);
        assert_eq!(ring.at_ms(Seq(0)), Some(1_000));
        assert_eq!(ring.at_ms(Seq(1)), Some(1_000));
        assert_eq!(ring.at_ms(Seq(2)), Some(2_500));
        assert_eq!(ring.at_ms(Seq(303)), Some(2_502));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn whatever_the_pieces_the_ring_gives_back_what_was_pushed(
            sizes in prop::collection::vec(0_usize..100_000, 1..24),
            durables in prop::collection::vec(0_u64..2_000_000, 1..24),
            max in 0_usize..200_000,
        ) {
            let mut ring = Ring::new();
            let mut pushed = Vec::new();
            for (size, durable) in sizes.iter().zip(durables.iter().cycle()) {
                let piece: Vec<u8> =
                    (0..*size).map(|n| u8::try_from((pushed.len() + n) % 251).unwrap()).collect();
                prop_assert_eq!(ring.push(&piece, 0), None);
                pushed.extend(piece);
                ring.on_durable(Seq(*durable));
                let oldest = usize::try_from(ring.from().0).unwrap();
                prop_assert!(ring.durable().bytes_since(ring.from()) >= CONTEXT_BYTES.min(ring.durable().0));
                for from in [oldest, oldest.midpoint(pushed.len()), pushed.len()] {
                    let to = pushed.len().min(from + max);
                    prop_assert_eq!(&all(&ring, Seq(from.try_into().unwrap()), max), &pushed[from..to]);
                }
            }
        }
    }
}
