//! vt
