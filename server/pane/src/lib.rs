//! The rule book: everything the product is judged by, as small state machines.
//!
//! Nothing here waits, reads a clock, makes a random number or takes a lock. What happened comes
//! in through `on_*` methods and verbs, with `now` and random bytes as arguments; what to do comes
//! out as a return value; `deadline` says when to ask again. Whoever drives a machine holds no
//! rule of its own.

pub mod batch;
pub mod credit;
pub mod cut;
pub mod flow;
pub mod inputs;
pub mod join;
pub mod kill;
pub mod lease;
pub mod pace;
pub mod paste;
pub mod reap;
pub mod redact;
pub mod ring;
pub mod slots;
pub mod ticket;
pub mod viewer;

#[cfg(test)]
mod testing;
