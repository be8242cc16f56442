//! `cargo dev gen`: the page's types, validators and limits, from `server/wire`, and its character
//! widths, from `server/vt`.
//!
//! The files are committed, so that the page builds without Rust; `cargo dev check` and a test
//! compare them with what this would write.

mod validators;
mod widths;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};

const HEAD: &str = "// Generated from server/wire by `cargo dev gen`. Not edited by hand.\n";

/// Where the generated files live, below the root.
pub(crate) const FOLDER: &str = "web/src/wire/gen";

/// Every generated file: its name and its text.
pub(crate) fn files() -> Result<Vec<(&'static str, String)>> {
    let shapes = wire::schema::shapes();
    Ok(vec![
        ("types.ts", types(&shapes)),
        ("validators.ts", validators::validators(&shapes)?),
        ("limits.ts", limits()),
        ("widths.ts", widths::widths()),
    ])
}

/// Writes the generated files.
pub(crate) fn write(root: &Path) -> Result<()> {
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    for (name, text) in files()? {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Names of generated files that differ from what would be written.
pub(crate) fn stale(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(FOLDER);
    Ok(files()?
        .into_iter()
        .filter(|(name, text)| {
            std::fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text)
        })
        .map(|(name, _)| format!("{FOLDER}/{name}"))
        .collect())
}

fn types(shapes: &[wire::schema::Shape]) -> String {
    let mut out = String::from(HEAD);
    for shape in shapes {
        let doc = shape.schema["description"].as_str().unwrap_or_default();
        let doc = doc.replace('\n', " ");
        write!(out, "\n/** {doc} */\nexport {}\n", shape.typescript)
            .expect("writing to a string does not fail");
    }
    out
}

fn limits() -> String {
    let mut out = String::from(HEAD);
    out.push('\n');
    for (name, value) in wire::limits::ALL {
        writeln!(out, "export const {name} = {value};").expect("writing to a string does not fail");
    }
    out
}
