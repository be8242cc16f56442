//! Everything is in the test binary `e2e`.
