//! The executable `glasshouse`.

fn main() {}
