//! `glasshouse-host`: see [`host`]. With the verb `exec-child` it is the first moments of a pane's
//! program instead.

use std::process::ExitCode;

use clap::Parser as _;
use host::config::Config;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|verb| verb == host::exec_child::VERB) {
        return host::exec_child::run(args);
    }
    host::run(&Config::parse())
}
