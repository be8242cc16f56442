//! What a control sequence does to a word: nothing, or it ends it.

use super::{cells::Columns, hold::MOVE};

/// How the view shows a control sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Not at all: the words around it touch.
    Hidden,
    /// As this marker.
    Marker(u8),
}

/// Judges a whole control sequence, introducer included, and moves the column.
pub(super) fn effect(bytes: &[u8], columns: &mut Columns) -> Effect {
    let Some((&last, body)) = bytes.split_last() else { return Effect::Hidden };
    // Both introducers, `ESC [` and U+009B, are two bytes.
    let params = body.get(2..).unwrap_or_default();
    // A private or intermediate byte makes another function of it; those set modes and report.
    // Control characters are acted on where they stand, so the text after is elsewhere.
    if params.iter().any(|&b| b < 0x20) {
        return Effect::Marker(MOVE);
    }
    if params.iter().any(|&b| matches!(b, 0x20..=0x2f | 0x3c..=0x3f)) {
        return Effect::Hidden;
    }
    let mut numbers = params.split(|&b| b == b';' || b == b':').map(number);
    let first = numbers.next().flatten();
    let second = numbers.next().flatten();
    let count = first.unwrap_or(1).max(1);
    match last {
        b'm' | b'h' | b'l' | b'K' | b'n' | b'c' | b't' | b's' | b'g' | b'i' | b'q' => {
            Effect::Hidden
        }
        b'G' | b'`' => {
            let here = columns.is_next(count);
            columns.set(count - 1);
            if here { Effect::Hidden } else { Effect::Marker(b' ') }
        }
        // Programs that lay out a screen write spaces as moves to the right.
        b'C' | b'a' => {
            columns.shift(isize::try_from(count).unwrap_or(0));
            Effect::Marker(b' ')
        }
        b'D' => {
            columns.shift(-isize::try_from(count).unwrap_or(0));
            Effect::Marker(MOVE)
        }
        b'H' | b'f' => {
            columns.set(second.unwrap_or(1).max(1) - 1);
            Effect::Marker(MOVE)
        }
        b'E' | b'F' => {
            columns.set(0);
            Effect::Marker(MOVE)
        }
        _ => Effect::Marker(MOVE),
    }
}

/// A parameter, or `None` when it is empty, no number or out of all bounds.
fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse::<u16>().ok().map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addressing_the_column_where_the_cursor_stands_does_not_end_a_word() {
        let mut columns = Columns::new(80);
        columns.print("abc");
        assert_eq!(effect(b"\x1b[4G", &mut columns), Effect::Hidden);
        assert_eq!(effect(b"\x1b[5G", &mut columns), Effect::Marker(b' '));
    }

    #[test]
    fn colours_and_modes_are_hidden_and_moves_are_not() {
        let mut columns = Columns::new(80);
        for hidden in ["\x1b[1;38;2;1;2;3m", "\x1b[?2026h", "\x1b[K", "\x1b[>1u", "\x1b[2 q"] {
            assert_eq!(effect(hidden.as_bytes(), &mut columns), Effect::Hidden, "{hidden:?}");
        }
        for moving in ["\x1b[5;10H", "\x1b[2J", "\x1b[A", "\x1b[u", "\x1b[3\nm"] {
            assert_eq!(effect(moving.as_bytes(), &mut columns), Effect::Marker(MOVE), "{moving:?}");
        }
    }
}
