//! A viewer's WebSocket: from the ticket to the last frame.
//!
//! [`upgrade`] opens it, [`socket`] drives it: one task that moves bytes between the socket, the
//! codec and the rules of [`pane::viewer`]. [`said`] reads what a viewer says and [`telling`] makes
//! what it is told; the driver holds both together. Only the task waits.

mod alive;
mod driver;
mod ears;
mod out;
pub mod said;
pub mod socket;
pub mod telling;
#[cfg(test)]
mod tests;
pub mod upgrade;
