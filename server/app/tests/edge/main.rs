//! The core as its callers meet it: requests through the whole router, with a store of its own
//! and no pane host.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod door;
mod process;
mod rooms;
mod signin;
mod socket;
mod support;
mod tickets;
mod transcript;
