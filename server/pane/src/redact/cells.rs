//! How many cells a character takes, and which column the cursor is in.
//!
//! A mask takes exactly the cells of what it hides, so a replay wraps and paints as the session
//! did. The column is known only well enough for two questions: was the last column filled when
//! the line broke, and does a cursor address name the very next column. After a cursor move that
//! is not understood the answer is a guess until the next line.

/// Cells between two tab stops.
const TAB_CELLS: usize = 8;

/// Characters that take no cell: combining marks, joiners and selectors.
const ZERO: &[(u32, u32)] = &[
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x0610, 0x061a),
    (0x064b, 0x065f),
    (0x06d6, 0x06dc),
    (0x0900, 0x0902),
    (0x093c, 0x093c),
    (0x0e31, 0x0e31),
    (0x0e34, 0x0e3a),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x2064),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xfeff, 0xfeff),
    (0xe0100, 0xe01ef),
];

/// Characters that take two cells: East Asian wide and fullwidth, and emoji.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x26a1, 0x26a1),
    (0x2705, 0x2705),
    (0x2728, 0x2728),
    (0x274c, 0x274c),
    (0x2753, 0x2755),
    (0x2795, 0x2797),
    (0x2b50, 0x2b50),
    (0x2e80, 0x303e),
    (0x3041, 0x33ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xa000, 0xa4cf),
    (0xa960, 0xa97f),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f680, 0x1f6ff),
    (0x1f900, 0x1f9ff),
    (0x1fa70, 0x1faff),
    (0x20000, 0x3fffd),
];

/// Cells `c` takes on the screen: 0, 1 or 2.
pub(super) fn width(c: char) -> usize {
    let code = u32::from(c);
    if code < 0x300 {
        1
    } else if within(ZERO, code) {
        0
    } else if within(WIDE, code) {
        2
    } else {
        1
    }
}

fn within(table: &[(u32, u32)], code: u32) -> bool {
    let after = table.partition_point(|&(first, _)| first <= code);
    after > 0 && code <= table[after - 1].1
}

/// The cursor's column in a pane of known width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// Width of the pane in cells; 0 means unknown, and then no line break is at the edge.
    cols: usize,
    /// Cells printed since the line began. `cols` means the next character wraps.
    at: usize,
}

impl Columns {
    pub(super) fn new(cols: u16) -> Self {
        Self { cols: usize::from(cols), at: 0 }
    }

    pub(super) fn resize(&mut self, cols: u16) {
        self.cols = usize::from(cols);
    }

    /// Whether the last column of the line is filled.
    pub(super) fn at_edge(self) -> bool {
        self.cols > 0 && self.at >= self.cols
    }

    /// Whether one-based column `column` is where the cursor already stands.
    pub(super) fn is_next(self, column: usize) -> bool {
        column == self.at + 1
    }

    /// Moves to zero-based column `column`.
    pub(super) fn set(&mut self, column: usize) {
        self.at = if self.cols > 0 { column.min(self.cols - 1) } else { column };
    }

    /// Moves `cells` to the right or, negative, to the left.
    pub(super) fn shift(&mut self, cells: isize) {
        self.set(self.at.saturating_add_signed(cells));
    }

    /// Moves to the next tab stop.
    pub(super) fn tab(&mut self) {
        self.set((self.at / TAB_CELLS + 1) * TAB_CELLS);
    }

    /// Records `text` printed; it holds no control characters.
    pub(super) fn print(&mut self, text: &str) {
        if text.is_ascii() {
            self.print_cells(text.len());
        } else {
            for c in text.chars() {
                self.print_char(width(c));
            }
        }
    }

    /// Records printed text that may hold tabs and line breaks, but no other control.
    pub(super) fn print_lines(&mut self, text: &str) {
        let line_start = memchr::memrchr2(b'\n', b'\r', text.as_bytes());
        if line_start.is_some() {
            self.at = 0;
        }
        let line = line_start.and_then(|at| text.get(at + 1..)).unwrap_or(text);
        for (nth, piece) in line.split('\t').enumerate() {
            if nth > 0 {
                self.tab();
            }
            self.print(piece);
        }
    }

    fn print_char(&mut self, cells: usize) {
        if self.cols > 0 && self.at + cells > self.cols {
            self.at = 0;
        }
        self.at += cells;
    }

    fn print_cells(&mut self, cells: usize) {
        self.at += cells;
        if self.cols > 0 && self.at > self.cols {
            self.at = (self.at - 1) % self.cols + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_so_that_a_binary_search_finds_every_range() {
        for table in [ZERO, WIDE] {
            assert!(table.is_sorted_by(|a, b| a.1 < b.0));
        }
    }

    #[test]
    fn a_full_line_is_at_the_edge_until_the_next_character_wraps() {
        let mut columns = Columns::new(4);
        columns.print("abcd");
        assert!(columns.at_edge());
        columns.print("e");
        assert!(!columns.at_edge());
        assert!(columns.is_next(2));
    }

    #[test]
    fn a_wide_character_that_does_not_fit_wraps_whole() {
        let mut columns = Columns::new(4);
        columns.print("abc秘");
        assert!(columns.is_next(3));
    }

    #[test]
    fn printing_in_bulk_ends_where_printing_by_character_does() {
        let mut bulk = Columns::new(10);
        bulk.print("0123456789012345678901234567890");
        let mut single = Columns::new(10);
        for _ in 0..31 {
            single.print_char(1);
        }
        assert_eq!(bulk.at, single.at);
    }
}
