//! What happened that is not on the screen.

use std::collections::VecDeque;

/// Most events waiting; past that the oldest is forgotten.
const EVENTS_MAX: usize = 64;

/// Something a program said beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// BEL.
    Bell,
    /// The title changed (OSC 0, 2).
    Title,
    /// The working directory changed (OSC 7).
    Cwd,
    /// A notification (OSC 9, 777, or 99, whose metadata come first).
    Notify(String),
    /// Progress (OSC 9;4): state 0 none, 1 running, 2 failed, 3 unknown, 4 paused; percent.
    Progress {
        /// The state.
        state: u8,
        /// Percent, 0 to 100.
        percent: u8,
    },
    /// A mark of the shell (OSC 133): `A` prompt, `B` command line, `C` output, `D` end.
    Mark {
        /// The letter.
        kind: char,
        /// Exit code of the command, with `D`.
        exit: Option<i32>,
    },
}

/// Events not yet polled.
#[derive(Debug)]
pub(crate) struct Events(pub(crate) VecDeque<Event>);

impl Events {
    /// Adds an event; bells and repeated changes are not kept twice.
    pub(crate) fn push(&mut self, event: Event) {
        if matches!(event, Event::Bell | Event::Title | Event::Cwd) && self.0.contains(&event) {
            return;
        }
        if self.0.len() == EVENTS_MAX {
            self.0.pop_front();
        }
        self.0.push_back(event);
    }
}
