//! The codec from outside, as raw bytes: the chapters of Autobahn's test suite, every way of
//! cutting the input, hostile input, and another implementation at the far end.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod chunking;
mod closing;
mod deflate;
mod framing;
mod interop;
mod limits;
mod support;
mod text;
