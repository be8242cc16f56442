//! Private keys in armor: header and footer stay, the lines between are masked.
//!
//! What ends a block is the footer, or the first word that is no key material; a dump that breaks
//! off does not swallow what comes after it. One that never ends is given up after
//! [`BLOCK_BYTES_MAX`].

use super::token;

/// Most key material of one block.
const BLOCK_BYTES_MAX: usize = 64 * 1024;

/// A word this long that is all base 64 is key material wherever it stands; a shorter one must
/// end its line.
const RUN_BYTES_MIN: usize = 16;

const TAG: &str = "[redacted:private-key]";
const BEGIN: &[u8] = b"-----BEGIN ";
const DASHES: &[u8] = b"-----";

/// The body of an armored key, under way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// Cells masked so far.
    pub(super) cell: usize,
    /// This line is a header of the body (`Proc-Type: …`).
    in_header: bool,
    /// A part of this line is masked already.
    in_line: bool,
    /// It is not known whether this is a block at all: only long words count.
    doubtful: bool,
}

/// What a word is to a block.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Material {
    /// Key material in the word.
    pub(super) runs: Vec<(usize, usize)>,
    /// Where in the word the block ends.
    pub(super) ends: Option<usize>,
    /// The word must be seen whole first.
    pub(super) waits: bool,
    /// It belongs to the block, but is a word like any other.
    pub(super) ordinary: bool,
}

impl Block {
    /// A block of which part is masked already.
    pub(super) fn begun() -> Self {
        Self { cell: TAG.len(), ..Self::default() }
    }

    /// What follows a gap may be the middle of a block.
    pub(super) fn after_gap() -> Self {
        Self { doubtful: true, ..Self::begun() }
    }

    pub(super) fn tag(self) -> &'static str {
        TAG
    }

    /// Records white space.
    pub(super) fn on_space(&mut self, byte: u8) {
        if byte != b' ' && byte != b'\t' {
            self.in_header = false;
            self.in_line = false;
        }
    }

    /// Records `cells` masked.
    pub(super) fn on_masked(&mut self, cells: usize) {
        self.cell += cells;
        self.in_line = true;
        self.doubtful = false;
    }

    /// Judges the word `start..end`; `next` is the white space after it, if that is seen.
    pub(super) fn judge(
        &mut self,
        view: &[u8],
        start: usize,
        end: usize,
        next: Option<u8>,
    ) -> Material {
        let text = view.get(start..end).unwrap_or_default();
        if self.cell > BLOCK_BYTES_MAX {
            return Material { ends: Some(start), ..Material::default() };
        }
        if next.is_none() && DASHES.starts_with(text) {
            return Material { waits: true, ..Material::default() };
        }
        let gutter = gutter(text);
        self.in_header |= self.cell == 0 && text.ends_with(b":");
        if self.in_header || gutter == text.len() {
            return Material { ordinary: true, ..Material::default() };
        }
        self.body(view, start + gutter, end, next)
    }

    fn body(&self, view: &[u8], start: usize, end: usize, next: Option<u8>) -> Material {
        let mut material = Material::default();
        let line_ends = next.is_none_or(|b| b < b' ' && b != b'\t');
        let mut at = start;
        while at < end {
            let run = view[at..end].iter().take_while(|&&b| is_base64(b)).count();
            let stop = view.get(at + run..end).unwrap_or_default();
            let last = at + run == end && line_ends && !self.doubtful;
            let escaped = matches!(stop, [b'\\', b'n' | b'r', ..] | [b'\\'] | [b'"' | b'\'', ..])
                || stop.starts_with(DASHES);
            if run >= RUN_BYTES_MIN || run > 0 && (self.in_line || last || escaped) {
                material.runs.push((at, at + run));
            }
            let masked = material.runs.last().is_some_and(|last| last.1 == at + run);
            if !masked && !matches!(stop, [] | [b'\\', ..]) {
                material.ends = Some(at);
                return material;
            }
            at += run;
            match stop {
                [] => break,
                [b'\\', b'n' | b'r' | b'\\', ..] => at += 2,
                [b'\\'] => at += 1,
                _ => {
                    material.ends = Some(at);
                    return material;
                }
            }
        }
        if material.runs.is_empty() && start < end && view[start] != b'\\' {
            material.ends = Some(start);
        }
        material
    }
}

/// Where the body begins when a header of a private key ends in the word `start..end`.
pub(super) fn opens(view: &[u8], start: usize, end: usize) -> Option<usize> {
    let text = view.get(start..end)?;
    memchr::memmem::find_iter(text, DASHES).find_map(|at| {
        let head = view.get(..start + at)?;
        let label = head.strip_suffix(b"PRIVATE KEY").or(head.strip_suffix(b"PRIVATE KEY BLOCK"))?;
        let words = label
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b' ')
            .count();
        // The label takes the space and the last letters of `-----BEGIN ` too.
        let dashes = label.get(..label.len() - words)?;
        let label = label.get(label.len() - words..)?;
        let opens = dashes.ends_with(DASHES) && label.starts_with(&BEGIN[DASHES.len()..]);
        opens.then_some(start + at + DASHES.len())
    })
}

/// Bytes of border that `text` begins with.
fn gutter(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(len) = token::gutter_cell(text.get(at..).unwrap_or_default()) {
        at += len;
    }
    at
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headers_of_private_keys_open_a_block() {
        let open = |text: &str| opens(text.as_bytes(), text.rfind(' ').unwrap_or(0), text.len());
        assert_eq!(open("-----BEGIN PRIVATE KEY-----"), Some(27));
        assert_eq!(open("x -----BEGIN RSA PRIVATE KEY-----"), Some(33));
        assert_eq!(open("-----BEGIN PGP PRIVATE KEY BLOCK-----"), Some(37));
        assert_eq!(open("-----BEGIN PUBLIC KEY-----"), None);
        assert_eq!(open("-----END PRIVATE KEY-----"), None);
    }

    #[test]
    fn prose_after_a_broken_off_dump_ends_the_block() {
        let mut block = Block::begun();
        let line = b"hello world";
        assert_eq!(block.judge(line, 0, 5, Some(b' ')).ends, Some(0));
        assert_eq!(block.judge(line, 0, 5, Some(b'\r')).runs, [(0, 5)]);
        assert_eq!(block.judge(b"-----END", 0, 8, Some(b' ')).ends, Some(0));
    }
}
