//! The host as a process: real terminals, real programs, the real link.

mod support;

mod ending;
mod feed;
mod process;
mod start;
mod typing;
