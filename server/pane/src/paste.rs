//! Where bracketed paste marks go.
//!
//! The marks are decided when a part is *written*, by the mode the program has then, not when it
//! was queued. A paste may come in parts: nothing enters its bracket, and whatever ends it early
//! (another holder, an interrupt, a plain key) closes it first. The parts that still come are
//! refused: half a paste must not be continued outside its bracket, where a newline runs it.

use wire::browser::Paste;

/// The mark before a paste.
pub const OPEN: &[u8] = b"\x1b[200~";
/// The mark after it.
pub const CLOSE: &[u8] = b"\x1b[201~";

/// The state of the bracket in what has been written to the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bracket {
    open: Option<Open>,
}

/// A paste whose last part has not been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    /// Whether the program was told, by [`OPEN`].
    marked: bool,
}

/// What to write around the bytes of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Ends a paste that was still open.
    pub close_first: bool,
    /// Comes before the bytes.
    pub open: bool,
    /// Comes after the bytes.
    pub close: bool,
}

/// A part of a paste that is no longer open: nothing of it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the paste was ended before this part")]
pub struct NotOpen;

impl Bracket {
    /// A part, or a key (`None`), is about to be written; `wanted` is mode 2004 as it is now.
    ///
    /// # Errors
    ///
    /// [`NotOpen`] for a later part of a paste that has ended.
    pub fn on_part(&mut self, part: Option<Paste>, wanted: bool) -> Result<Marks, NotOpen> {
        match part {
            None => Ok(Marks { close_first: self.end(), ..Marks::default() }),
            Some(Paste::One) => Ok(Marks { close_first: self.end(), open: wanted, close: wanted }),
            Some(Paste::Start) => {
                let close_first = self.end();
                self.open = Some(Open { marked: wanted });
                Ok(Marks { close_first, open: wanted, close: false })
            }
            Some(Paste::More) => self.open.map(|_| Marks::default()).ok_or(NotOpen),
            Some(Paste::End) => {
                let open = self.open.take().ok_or(NotOpen)?;
                Ok(Marks { close: open.marked, ..Marks::default() })
            }
        }
    }

    /// Ends an open paste. True when [`CLOSE`] has to be written.
    #[must_use]
    pub fn end(&mut self) -> bool {
        self.open.take().is_some_and(|open| open.marked)
    }

    /// Whether a paste is open: the host's own answers then wait.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_follow_the_mode_at_the_first_part() {
        let mut bracket = Bracket::default();
        let opened = bracket.on_part(Some(Paste::Start), true).unwrap();
        assert_eq!(opened, Marks { open: true, ..Marks::default() });
        assert!(bracket.is_open());
        assert_eq!(bracket.on_part(Some(Paste::More), false), Ok(Marks::default()));
        let ended = bracket.on_part(Some(Paste::End), false).unwrap();
        assert_eq!(ended, Marks { close: true, ..Marks::default() }, "what was opened is closed");
        assert!(!bracket.is_open());

        assert_eq!(bracket.on_part(Some(Paste::Start), false), Ok(Marks::default()));
        assert_eq!(bracket.on_part(Some(Paste::End), true), Ok(Marks::default()));
    }

    #[test]
    fn a_whole_paste_is_marked_on_both_sides_or_none() {
        let mut bracket = Bracket::default();
        let marks = bracket.on_part(Some(Paste::One), true).unwrap();
        assert_eq!(marks, Marks { close_first: false, open: true, close: true });
        assert_eq!(bracket.on_part(Some(Paste::One), false), Ok(Marks::default()));
    }

    #[test]
    fn a_key_never_enters_a_bracket_and_the_rest_of_the_paste_is_refused() {
        let mut bracket = Bracket::default();
        bracket.on_part(Some(Paste::Start), true).unwrap();
        let key = bracket.on_part(None, true).unwrap();
        assert_eq!(key, Marks { close_first: true, ..Marks::default() });
        assert_eq!(bracket.on_part(Some(Paste::More), true), Err(NotOpen));
        assert_eq!(bracket.on_part(Some(Paste::End), true), Err(NotOpen));
    }

    #[test]
    fn an_interrupt_closes_once() {
        let mut bracket = Bracket::default();
        bracket.on_part(Some(Paste::Start), true).unwrap();
        assert!(bracket.end());
        assert!(!bracket.end());
    }
}
