//! Rules about files: their size, what pure ones may name, tests that wait by the clock, and what
//! stands at the root.

use std::path::{Path, PathBuf};

use anyhow::Result;

/// A file past this is split along a seam.
const LINES_MAX: usize = 500;

/// What pure crates never name.
const IMPURE: &[&str] =
    &["std::net", "std::fs", "std::env", "std::thread", "Instant::now", "SystemTime::now"];

const PURE: &[&str] = &["server/wire/src", "server/vt/src", "server/ws/src", "server/pane/src"];

/// Everything that may stand at the root.
const ROOT: &[&str] = &[
    ".cargo",
    ".ci",
    ".clippy.toml",
    ".config",
    ".dockerignore",
    ".editorconfig",
    ".gitignore",
    ".rustfmt.toml",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "docker",
    "migrations",
    "server",
    "tests",
    "web",
];

/// Every fault in the given files.
pub(super) fn faults(root: &Path, files: &[PathBuf]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files {
        let name = path.to_string_lossy();
        let first = name.split('/').next().unwrap_or_default();
        if !ROOT.contains(&first) {
            faults.push(format!("{name}: `{first}` does not belong at the root"));
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        let code = matches!(extension, Some("rs" | "ts" | "tsx" | "css" | "mjs"));
        if !code || is_generated(&name) {
            continue;
        }
        let text = std::fs::read_to_string(root.join(path))?;
        let lines = text.lines().count();
        if lines > LINES_MAX {
            faults.push(format!("{name}: {lines} lines; split it along a seam"));
        }
        let rules = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in rules.lines().enumerate().filter(|_| is_pure(&name)) {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(word) = IMPURE.iter().find(|word| code.contains(*word)) {
                faults.push(format!("{name}:{}: a pure crate names {word}", number + 1));
            }
        }
        faults.extend(sleeps(&name, &text));
    }
    Ok(faults)
}

fn is_generated(name: &str) -> bool {
    name.contains("/gen/") || name.ends_with("width/table.rs")
}

fn is_pure(name: &str) -> bool {
    // A test has to take its first `Instant` from somewhere.
    let is_test = name.ends_with("/testing.rs") || name.ends_with("/tests.rs");
    !is_test && PURE.iter().any(|folder| name.starts_with(folder))
}

/// Tests wait for events, not for the clock.
fn sleeps(name: &str, text: &str) -> Vec<String> {
    // Named in two parts, so that this file does not find itself.
    let waits = [concat!("sleep", "("), concat!("waitFor", "Timeout(")];
    let is_test = name.starts_with("tests/") || name.contains("/tests/") || name.contains(".test.");
    let tests_at = if is_test { Some(0) } else { text.find("#[cfg(test)]") };
    let Some(tests_at) = tests_at else { return Vec::new() };
    let before = text.get(..tests_at).unwrap_or_default().lines().count();
    let tests = text.get(tests_at..).unwrap_or_default();
    let found = tests.lines().enumerate().filter(|(_, line)| {
        waits.iter().any(|wait| line.contains(wait)) && !line.contains("deadline")
    });
    found
        .map(|(number, _)| format!("{name}:{}: a test waits by the clock", before + number + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_in_a_test_is_found_and_one_in_the_code_is_not() {
        let wait = concat!("std::thread::sleep", "(second)");
        assert_eq!(sleeps("server/host/src/pty.rs", wait), Vec::<String>::new());
        assert_eq!(sleeps("tests/e2e/main.rs", wait).len(), 1);
        let inline = format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{wait}\n}}");
        let found = sleeps("server/host/src/pty.rs", &inline);
        assert_eq!(found, ["server/host/src/pty.rs:4: a test waits by the clock"]);
    }
}
