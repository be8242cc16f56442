//! The keyboard protocol of kitty: flags a program sets, on a stack.

use crate::num;
use crate::parser::Params;

/// The flags there are.
const ALL: u8 = 31;

/// Deepest stack; a push past it forgets the oldest entry.
const STACK_MAX: usize = 16;

/// Flags of one screen.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Keyboard {
    flags: u8,
    /// Flags to return to, the last first.
    stack: Vec<u8>,
}

impl Keyboard {
    /// The flags in force.
    pub(crate) fn flags(&self) -> u8 {
        self.flags
    }

    /// `CSI > flags u`.
    pub(crate) fn push(&mut self, params: &Params) {
        if self.stack.len() == STACK_MAX {
            self.stack.remove(0);
        }
        self.stack.push(self.flags);
        self.flags = flags(params.get(0));
    }

    /// `CSI < count u`. An empty stack leaves no flags.
    pub(crate) fn pop(&mut self, params: &Params) {
        for _ in 0..params.count(0, STACK_MAX + 1) {
            self.flags = self.stack.pop().unwrap_or(0);
        }
    }

    /// `CSI = flags ; how u`: 1 sets, 2 adds, 3 removes.
    pub(crate) fn set(&mut self, params: &Params) {
        let given = flags(params.get(0));
        match params.count(1, usize::MAX) {
            1 => self.flags = given,
            2 => self.flags |= given,
            3 => self.flags &= !given,
            _ => {}
        }
    }

    /// Sequences that lead here from no flags.
    pub(crate) fn write(&self, out: &mut String) {
        let mut entries = self.stack.iter().chain([&self.flags]);
        if let Some(&first) = entries.next()
            && first != 0
        {
            out.push_str(&format!("\x1b[={first}u"));
        }
        for entry in entries {
            out.push_str(&format!("\x1b[>{entry}u"));
        }
    }
}

fn flags(value: i32) -> u8 {
    num::low(value.cast_unsigned()) & ALL
}
