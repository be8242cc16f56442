//! Other programs: started with one line that says so, and named when they fail.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// A program to be run in a folder.
pub(crate) fn command(folder: &Path, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

/// Cargo, with this process's own settings.
pub(crate) fn cargo(root: &Path, args: &[&str]) -> Command {
    let mut command = command(root, "cargo", args);
    // The build that runs us sets these for itself; they would make every crate stale.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_MANIFEST_PATH", "RUSTUP_TOOLCHAIN"]
    {
        command.env_remove(name);
    }
    command
}

/// Runs it to its end.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs it and answers what it printed, or its error output as the error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
