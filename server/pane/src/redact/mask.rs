//! What a hidden cell becomes.
//!
//! One mask cell for each secret cell: `[redacted:KIND]` and then stars. The tag may be cut by
//! escape sequences, line breaks and chunks, so a mask knows the number of its first cell.

/// A part of the printable view to be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask {
    /// Where it begins in the view.
    pub(super) from: usize,
    /// Where it ends in the view.
    pub(super) to: usize,
    /// `[redacted:KIND]`, or empty for stars alone.
    pub(super) tag: &'static str,
    /// Cells of the same secret masked before this part.
    pub(super) cell: usize,
}

impl Mask {
    /// Stars alone over `from..to`.
    pub(super) fn stars(from: usize, to: usize) -> Self {
        Self { from, to, tag: "", cell: 0 }
    }
}

/// Writes the mask cells `cell..cell + count` of a secret tagged `tag`.
pub(super) fn write(tag: &'static str, cell: usize, count: usize, out: &mut Vec<u8>) {
    let tagged = tag.as_bytes().get(cell..).unwrap_or_default();
    let tagged = tagged.get(..count).unwrap_or(tagged);
    out.extend_from_slice(tagged);
    out.resize(out.len() + (count - tagged.len()), b'*');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_goes_on_where_the_part_before_it_stopped() {
        let mut out = Vec::new();
        write("[redacted:aws]", 0, 3, &mut out);
        out.push(b'|');
        write("[redacted:aws]", 3, 13, &mut out);
        assert_eq!(out, b"[re|dacted:aws]**");
    }
}
