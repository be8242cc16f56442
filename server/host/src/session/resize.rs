//! How often a terminal is resized.
//!
//! A window that is dragged asks for hundreds of sizes. The first is applied at once, then one
//! each [`APART`], always the last that was asked for; a size the terminal already has is none.

use std::time::{Duration, Instant};

use wire::limits;

use crate::pty::Size;

/// Between two resizes: twenty a second.
pub(crate) const APART: Duration = Duration::from_millis(50);

/// Sizes asked for and applied.
#[derive(Debug)]
pub(crate) struct Resizes {
    size: Size,
    /// When it was applied; none for the size at the start.
    at: Option<Instant>,
    /// The last size asked for since, and who did.
    wanted: Option<(Size, String)>,
}

impl Resizes {
    /// A terminal that has started with `size`.
    pub(crate) fn new(size: Size) -> Self {
        Self { size, at: None, wanted: None }
    }

    /// The size now.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Somebody who may asks for a size.
    pub(crate) fn on_resize(&mut self, size: Size, by: &str) {
        self.wanted = Some((clamp(size), by.to_owned()));
    }

    /// When [`Resizes::poll`] has something to do.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let at = self.at.filter(|_| self.wanted.is_some())?;
        Some(at + APART)
    }

    /// The size to apply now, and who asked for it.
    pub(crate) fn poll(&mut self, now: Instant) -> Option<(Size, String)> {
        if self.at.is_some_and(|at| now < at + APART) {
            return None;
        }
        let (size, by) = self.wanted.take()?;
        if size == self.size {
            return None;
        }
        self.size = size;
        self.at = Some(now);
        Some((size, by))
    }
}

/// A size within what a terminal may have.
pub(crate) fn clamp(size: Size) -> Size {
    let within = |value: u16, least: u64, most: u64| {
        let bound = |limit: u64| u16::try_from(limit).unwrap_or(u16::MAX);
        value.clamp(bound(least), bound(most))
    };
    Size {
        cols: within(size.cols, limits::COLS_MIN, limits::COLS_MAX),
        rows: within(size.rows, limits::ROWS_MIN, limits::ROWS_MAX),
        cell: size.cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(cols: u16) -> Size {
        Size { cols, rows: 24, cell: None }
    }

    #[test]
    fn a_storm_of_sizes_ends_at_the_last_one() {
        let start = Instant::now();
        let mut resizes = Resizes::new(size(80));
        let mut applied = Vec::new();
        for n in 0..10_000_u32 {
            let now = start + Duration::from_micros(100) * n;
            resizes.on_resize(
                size(if n == 9_999 { 99 } else { 100 + u16::try_from(n % 200).unwrap() }),
                "ana",
            );
            applied.extend(resizes.poll(now).map(|(size, _)| (now, size.cols)));
        }
        let deadline = resizes.deadline().unwrap();
        applied.extend(resizes.poll(deadline).map(|(size, _)| (deadline, size.cols)));
        assert!(applied.len() <= 21, "{} resizes in a second", applied.len());
        assert!(applied.windows(2).all(|pair| pair[1].0 - pair[0].0 >= APART));
        assert_eq!((applied[0].0, resizes.size()), (start, size(99)));
        assert_eq!(resizes.deadline(), None);
    }

    #[test]
    fn the_same_size_is_no_resize_and_none_is_out_of_range() {
        let start = Instant::now();
        let mut resizes = Resizes::new(size(80));
        resizes.on_resize(size(80), "ana");
        assert_eq!(resizes.poll(start), None);
        resizes.on_resize(Size { cols: 9_999, rows: 0, cell: None }, "ana");
        let (applied, by) = resizes.poll(start).unwrap();
        assert_eq!((applied.cols, applied.rows, by.as_str()), (400, 2, "ana"));
    }
}
