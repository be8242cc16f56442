//! The cases of `tests/fixtures/redaction`, and what holds for any output at all.

mod cases;
mod properties;
