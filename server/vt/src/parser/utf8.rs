//! UTF-8, decoded across any split of the input.
//!
//! What is not UTF-8 vanishes, as in xterm.js: no replacement characters. A byte that breaks a
//! sequence off is looked at again as the start of the next.

/// A sequence in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Utf8 {
    /// Bytes read, at most three.
    bytes: [u8; 4],
    len: usize,
}

/// What a byte led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// The character is not complete.
    Pending,
    /// A whole code point.
    Code(u32),
    /// Nothing: the byte was consumed, or the sequence was not a character.
    Nothing,
    /// What was pending is dropped; feed the byte again.
    Again,
}

impl Utf8 {
    /// Whether no sequence is in progress.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of the sequence in progress.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Takes a byte; with no sequence in progress it must not be ASCII.
    pub(crate) fn push(&mut self, byte: u8) -> Decoded {
        if self.len == 0 {
            if !(0xc0..0xf8).contains(&byte) {
                return Decoded::Nothing;
            }
            self.bytes[0] = byte;
            self.len = 1;
            return Decoded::Pending;
        }
        if byte & 0xc0 != 0x80 {
            self.len = 0;
            return Decoded::Again;
        }
        self.bytes[self.len] = byte;
        self.len += 1;
        let [first, second, third, fourth] = self.bytes.map(u32::from);
        let (need, code) = match first {
            0xc0..0xe0 => (2, (first & 0x1f) << 6 | second & 0x3f),
            0xe0..0xf0 => (3, (first & 0xf) << 12 | (second & 0x3f) << 6 | third & 0x3f),
            _ => {
                (4, (first & 7) << 18 | (second & 0x3f) << 12 | (third & 0x3f) << 6 | fourth & 0x3f)
            }
        };
        if self.len < need {
            return Decoded::Pending;
        }
        self.len = 0;
        let shortest = [0x80, 0x800, 0x1_0000][need - 2];
        let byte_order_mark = code == 0xfeff;
        if code < shortest || byte_order_mark || char::from_u32(code).is_none() {
            return Decoded::Nothing;
        }
        Decoded::Code(code)
    }
}
