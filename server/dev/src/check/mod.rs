//! `cargo dev check`: the rules of the repository that no compiler holds.

pub(crate) mod docs;
mod layers;
mod sources;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::generate;
use crate::shell::{command, output};

/// Checks everything; every fault is printed before it fails.
pub(crate) fn run(root: &Path) -> Result<()> {
    let files = tracked(root)?;
    let mut faults = Vec::new();
    faults.extend(layers::faults(root)?);
    faults.extend(sources::faults(root, &files)?);
    faults.extend(docs::faults(root)?);
    faults.extend(
        generate::stale(root)?
            .into_iter()
            .map(|file| format!("{file} is stale: run `cargo dev gen`")),
    );
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() { Ok(()) } else { bail!("{} faults", faults.len()) }
}

/// Every file of the project, below the root: what git tracks, and what it would.
fn tracked(root: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let text = output(&mut command(root, "git", &list))?;
    Ok(text.lines().map(PathBuf::from).filter(|path| root.join(path).is_file()).collect())
}
