//! One of the two screens: its rows, cursor, margins, tab stops, saved cursor.
//!
//! The column goes from 0 to the number of columns: at that end the cursor is on the last cell and
//! the next character wraps.

use crate::charset::Charset;
use crate::grid::Grid;
use crate::kitty::Keyboard;
use crate::tabs::Tabs;

/// What DECSC keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Saved {
    pub(crate) x: usize,
    /// Counted from the oldest row of history, so it stays with its text.
    pub(crate) y: usize,
    pub(crate) fg: u32,
    pub(crate) bg: u32,
    pub(crate) charset: Option<Charset>,
}

/// One screen.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) grid: Grid,
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// First row of the scrolling region.
    pub(crate) top: usize,
    /// Last row of the scrolling region.
    pub(crate) bottom: usize,
    pub(crate) saved: Saved,
    pub(crate) tabs: Tabs,
    pub(crate) keyboard: Keyboard,
}

impl Buffer {
    /// A blank screen.
    pub(crate) fn new(cols: usize, rows: usize) -> Self {
        Self {
            grid: Grid::new(rows),
            x: 0,
            y: 0,
            top: 0,
            bottom: rows.saturating_sub(1),
            saved: Saved::default(),
            tabs: Tabs::new(cols),
            keyboard: Keyboard::default(),
        }
    }
}
