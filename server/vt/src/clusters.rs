//! The texts of grapheme clusters that cells on the screens show.
//!
//! One arena, each text behind a length byte. A cluster is built code point by code point at the
//! cursor, so the one being built is nearly always the last and grows in place. Nothing is freed
//! singly: [`needs_collection`](Clusters::needs_collection) says when the owner should copy what is
//! still shown into a fresh arena.

use crate::num;

/// Longest text of a cluster. More marks than fit are dropped: a real cluster is under 40 bytes,
/// and a cell has to stay small in a snapshot.
const CLUSTER_MAX_BYTES: usize = 128;

/// Smallest arena worth collecting.
const COLLECT_FROM_BYTES: usize = 64 * 1024;

/// The arena.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    bytes: Vec<u8>,
    /// Size at which the arena is collected next.
    collect_at: usize,
}

impl Default for Clusters {
    fn default() -> Self {
        Self { bytes: Vec::new(), collect_at: COLLECT_FROM_BYTES }
    }
}

impl Clusters {
    /// Stores a text; it is cut at a character when it is too long.
    pub(crate) fn insert(&mut self, text: &str) -> u32 {
        self.insert_chars(text.chars())
    }

    /// Stores a text, given as its characters.
    pub(crate) fn insert_chars(&mut self, text: impl IntoIterator<Item = char>) -> u32 {
        let place = self.bytes.len();
        self.bytes.push(0);
        let place = num::word(place);
        for character in text {
            self.push(place, character);
        }
        place
    }

    /// The text at `place`.
    pub(crate) fn text(&self, place: u32) -> &str {
        std::str::from_utf8(self.bytes(place)).unwrap_or_default()
    }

    /// The text at `place` as UTF-8.
    pub(crate) fn bytes(&self, place: u32) -> &[u8] {
        let at = num::index(place);
        let len = self.bytes.get(at).map_or(0, |&len| usize::from(len));
        self.bytes.get(at + 1..at + 1 + len).unwrap_or_default()
    }

    /// Adds a character to the text at `place`, which may move.
    pub(crate) fn append(&mut self, place: u32, character: char) -> u32 {
        let at = num::index(place);
        let len = self.bytes.get(at).map_or(0, |&len| usize::from(len));
        if len + character.len_utf8() > CLUSTER_MAX_BYTES {
            return place;
        }
        let place = if at + 1 + len == self.bytes.len() {
            place
        } else {
            let moved = num::word(self.bytes.len());
            self.bytes.extend_from_within(at..at + 1 + len);
            moved
        };
        self.push(place, character);
        place
    }

    /// Adds to the last text.
    fn push(&mut self, place: u32, character: char) {
        let mut buffer = [0; 4];
        let encoded = character.encode_utf8(&mut buffer).as_bytes();
        let at = num::index(place);
        if let Some(len) = self.bytes.get_mut(at) {
            let grown = usize::from(*len) + encoded.len();
            if let Ok(grown) = u8::try_from(grown)
                && usize::from(grown) <= CLUSTER_MAX_BYTES
            {
                *len = grown;
                self.bytes.extend_from_slice(encoded);
            }
        }
    }

    /// Whether the arena has grown enough that most of it may be unused.
    pub(crate) fn needs_collection(&self) -> bool {
        self.bytes.len() >= self.collect_at
    }

    /// Decides when to collect next, after everything in use has been copied here.
    pub(crate) fn collected(&mut self) {
        self.collect_at = (self.bytes.len() * 2).max(COLLECT_FROM_BYTES);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }
}
