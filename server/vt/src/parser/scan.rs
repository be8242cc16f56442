//! The runs of text that most input is made of, found a word or a character at a time.

use super::Sink;
use crate::num;

/// Characters decoded before they are handed on.
const RUN: usize = 64;

/// Length of the run of printable ASCII that `bytes` starts with.
#[inline]
pub(super) fn ascii_len(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * ONES;
    let mut len = 0;
    let (words, _) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        // The top bit of each byte below 0x20 or above 0x7e; a borrow can only set further ones.
        let others = (word.wrapping_sub(0x20 * ONES) | word.wrapping_add(ONES) | word) & TOPS;
        if others != 0 {
            return len + num::index(others.trailing_zeros() / 8);
        }
        len += 8;
    }
    len + bytes[len..].iter().take_while(|byte| (0x20..0x7f).contains(*byte)).count()
}

/// Takes the characters at the start of `bytes`, up to ASCII or what `whole` leaves; `None` if there
/// is none.
pub(super) fn feed_text<'a>(bytes: &'a [u8], sink: &mut impl Sink) -> Option<&'a [u8]> {
    let mut run = [0; RUN];
    let mut len = 0;
    let mut rest = bytes;
    while let Some((code, after)) = whole(rest) {
        run[len] = code;
        len += 1;
        rest = after;
        if len == RUN {
            break;
        }
    }
    let run = &run[..len];
    (!run.is_empty()).then(|| sink.text(run)).map(|()| rest)
}

/// The character at the start of `bytes`, if it is whole, printable and past ASCII.
#[inline]
fn whole(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let tail = |byte: u8| (byte & 0xc0 == 0x80).then_some(u32::from(byte & 0x3f));
    let (code, shortest, rest) = match bytes {
        [a @ 0xc2..0xe0, b, rest @ ..] => (u32::from(a & 0x1f) << 6 | tail(*b)?, 0xa0, rest),
        [a @ 0xe0..0xf0, b, c, rest @ ..] => {
            (u32::from(a & 0xf) << 12 | tail(*b)? << 6 | tail(*c)?, 0x800, rest)
        }
        [a @ 0xf0..0xf5, b, c, d, rest @ ..] => {
            let high = u32::from(a & 7) << 18 | tail(*b)? << 12;
            (high | tail(*c)? << 6 | tail(*d)?, 0x1_0000, rest)
        }
        _ => return None,
    };
    let good = code >= shortest && code != 0xfeff && char::from_u32(code).is_some();
    good.then_some((code, rest))
}
