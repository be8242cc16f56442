//! Tab stops of one screen: every eighth column until a program says otherwise.

/// Columns between the stops a terminal starts with.
const EVERY: usize = 8;

/// The stops, one flag a column. Columns keep their stop when the screen gets narrower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tabs(Vec<bool>);

impl Tabs {
    /// The stops of a new terminal.
    pub(crate) fn new(cols: usize) -> Self {
        Self((0..cols).map(|x| x % EVERY == 0).collect())
    }

    /// Extends the stops to `cols` columns, at the usual distance from the last one.
    pub(crate) fn resize(&mut self, cols: usize) {
        let mut x = cols;
        if !self.is_stop(x) {
            x = self.before(x);
        }
        if self.0.len() < cols {
            self.0.resize(cols, false);
        }
        while x < cols {
            self.0[x] = true;
            x += EVERY;
        }
    }

    /// Whether there is a stop at `x`.
    pub(crate) fn is_stop(&self, x: usize) -> bool {
        self.0.get(x).copied().unwrap_or(false)
    }

    /// The stop before `x`, or the first column.
    pub(crate) fn before(&self, x: usize) -> usize {
        (0..x).rev().find(|&x| self.is_stop(x)).unwrap_or(0)
    }

    /// The stop after `x`, or the last column.
    pub(crate) fn after(&self, x: usize, cols: usize) -> usize {
        (x + 1..cols).find(|&x| self.is_stop(x)).unwrap_or(cols.saturating_sub(1))
    }

    /// Sets a stop.
    pub(crate) fn set(&mut self, x: usize) {
        if let Some(stop) = self.0.get_mut(x) {
            *stop = true;
        }
    }

    /// Clears the stop at `x`.
    pub(crate) fn clear(&mut self, x: usize) {
        if let Some(stop) = self.0.get_mut(x) {
            *stop = false;
        }
    }

    /// Clears every stop.
    pub(crate) fn clear_all(&mut self) {
        self.0.fill(false);
    }

    /// Whether the first `cols` columns have the usual stops.
    pub(crate) fn is_usual(&self, cols: usize) -> bool {
        (0..cols).all(|x| self.is_stop(x) == (x % EVERY == 0))
    }
}
