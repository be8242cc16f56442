//! `cargo dev`: the one door for people and CI.
//!
//! Each command does its own set-up, and where it cannot, says in one line what is missing.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks there")]

mod check;
mod clis;
mod generate;
mod postgres;
mod run;
mod setup;
mod shell;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "cargo dev", about = "Build, run and test Glasshouse")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build Glasshouse and start it on its embedded database.
    Run(run::Args),
    /// Run everything: formatting, lints, units, both databases, promises, browser.
    Test(test::Args),
    /// Check the repository's own rules: layers, file sizes, docs, generated files.
    Check,
    /// Write the generated files: the page's types, validators and limits.
    Gen,
    /// Say what this machine has and what is missing.
    Doctor,
}

fn main() -> ExitCode {
    match execute(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<()> {
    let root = root()?;
    match command {
        Command::Run(args) => run::run(&root, &args),
        Command::Test(args) => test::run(&root, &args),
        Command::Check => check::run(&root),
        Command::Gen => {
            generate::write(&root)?;
            check::docs::stamp(&root)
        }
        Command::Doctor => {
            setup::doctor(&root);
            Ok(())
        }
    }
}

/// The workspace's root, from where this crate was built.
fn root() -> Result<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().nth(2).context("server/dev lies two folders below the root")?;
    Ok(root.to_owned())
}
