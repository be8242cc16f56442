//! What the crate promises, through its public face.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod fixtures;
mod probes;
mod properties;
mod reading;

use vt::{Options, Scope, Size, Terminal};

/// The size of most tests.
const SIZE: Size = Size { cols: 120, rows: 32 };

/// A terminal that has taken `stream`.
fn after(stream: &[u8]) -> Terminal {
    sized(SIZE, stream)
}

fn sized(size: Size, stream: &[u8]) -> Terminal {
    let mut terminal = Terminal::new(size, Options::default());
    terminal.feed(stream);
    terminal
}

/// A terminal rebuilt from a snapshot.
fn rebuilt(terminal: &Terminal) -> Terminal {
    let snapshot = terminal.snapshot(Scope::Full);
    sized(snapshot.size, &snapshot.bytes)
}
