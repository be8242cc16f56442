//! Where output may be cut: never inside a character.
//!
//! Output is bytes and may hold anything. Only a *beginning* of a valid character at the very end
//! is worth holding back, at most three bytes; whatever can no longer become one is passed on as
//! it is. Held bytes are decided by the next byte, or let go when the program has exited.

/// Most bytes that are ever held back.
pub const HELD_MAX_BYTES: usize = 3;

/// How many of `bytes` can be passed on now: all but a character that has only begun.
pub fn decided(bytes: &[u8]) -> usize {
    let len = bytes.len();
    for back in 1..=HELD_MAX_BYTES.min(len) {
        let tail = bytes.get(len - back..).unwrap_or_default();
        match tail.first() {
            Some(0x80..=0xBF) => {}
            Some(0xC2..=0xF4) => {
                let begun = std::str::from_utf8(tail)
                    .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none());
                return if begun { len - back } else { len };
            }
            Some(_) | None => return len,
        }
    }
    len
}

/// Where to cut a first piece of at most `max_bytes` from `bytes`, all of which is decided.
///
/// # Panics
///
/// When `max_bytes` is below 4: no room for a character.
pub fn piece(bytes: &[u8], max_bytes: usize) -> usize {
    assert!(max_bytes > HELD_MAX_BYTES, "a piece has room for a character");
    match bytes.get(..max_bytes) {
        Some(head) if bytes.len() > max_bytes => decided(head),
        Some(_) | None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_can_become_a_character_is_held() {
        for (bytes, passed) in [
            (b"".as_slice(), 0),
            (b"abc", 3),
            ("a€".as_bytes(), 4),
            (b"a\xE2\x82", 1),
            (b"a\xE2", 1),
            (b"\xF0\x9F\x98", 0),
            (b"a\x80\x80\x80", 4),
            (b"a\xE2\x28", 3),
            (b"\xE0\x80", 2),
            (b"\xED\xA0", 2),
            (b"\xF4\x90", 2),
            (b"\xC1", 1),
            (b"\xFF", 1),
            (b"\xF0\x9F\x98\x80\x80", 5),
        ] {
            assert_eq!(decided(bytes), passed, "{bytes:x?}");
        }
    }

    proptest! {
        /// However text arrives and whatever the piece size, the pieces join to the text and each
        /// is valid by itself.
        #[test]
        fn every_way_of_chunking_text_gives_valid_pieces(
            text in "\\PC{0,200}",
            cuts in prop::collection::vec(1_usize..40, 1..50),
            max in 4_usize..20,
        ) {
            let pieces = cut_up(text.as_bytes(), &cuts, max);
            for piece in &pieces {
                prop_assert!(piece.len() <= max && std::str::from_utf8(piece).is_ok());
            }
            prop_assert_eq!(pieces.concat(), text.as_bytes());
        }

        #[test]
        fn any_bytes_at_all_come_through_whole(
            bytes in prop::collection::vec(prop::sample::select(ODD), 0..200),
            cuts in prop::collection::vec(1_usize..9, 1..50),
        ) {
            prop_assert_eq!(cut_up(&bytes, &cuts, 4).concat(), bytes);
        }
    }

    const ODD: &[u8] = &[b'a', 0, 0x80, 0xBF, 0xC1, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xFF];

    /// As a hub does it: holds what is undecided, cuts the rest, lets go at the end.
    fn cut_up(bytes: &[u8], cuts: &[usize], max: usize) -> Vec<Vec<u8>> {
        let (mut held, mut pieces, mut rest) = (Vec::new(), Vec::new(), bytes);
        for cut in cuts.iter().cycle() {
            let (head, tail) = rest.split_at(rest.len().min(*cut));
            held.extend_from_slice(head);
            rest = tail;
            let ready = if rest.is_empty() { held.len() } else { decided(&held) };
            assert!(held.len() - ready <= HELD_MAX_BYTES);
            let undecided = held.split_off(ready);
            while !held.is_empty() {
                let keep = held.split_off(piece(&held, max));
                pieces.push(std::mem::replace(&mut held, keep));
            }
            held = undecided;
            if rest.is_empty() {
                return pieces;
            }
        }
        pieces
    }
}
