//! The host as a process: real terminals, real programs, the real link.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test names the events that it is about")]

mod support;

mod ending;
mod feed;
mod process;
mod start;
mod typing;
