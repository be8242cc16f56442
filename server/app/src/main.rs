//! The executable `glasshouse`: see [`app`].

use std::process::ExitCode;

fn main() -> ExitCode {
    app::cli::main()
}
