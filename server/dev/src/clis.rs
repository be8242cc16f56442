//! The real coding CLIs, from the npm registry, for tests that are asked for with `--clis`.
//!
//! Their versions are exact in `tests/clis/package.json`. They come without a lock file: it would
//! name packages for platforms that a registry need not have.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::{run, setup, shell};

/// Installs the CLIs of `tests/clis` below the target folder and answers where their programs are.
pub(crate) fn install(root: &Path) -> Result<PathBuf> {
    let folder = run::target(root)?.join("clis");
    std::fs::create_dir_all(&folder)?;
    let from = root.join("tests/clis/package.json");
    let wanted = std::fs::read(&from).with_context(|| from.display().to_string())?;
    let installed = folder.join("node_modules/.installed.json");
    if std::fs::read(&installed).ok().as_ref() != Some(&wanted) {
        std::fs::write(folder.join("package.json"), &wanted)?;
        setup::node()?;
        let install =
            ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
        shell::run(&mut shell::command(&folder, "npm", &install))?;
        std::fs::write(installed, wanted)?;
    }
    Ok(folder.join("node_modules/.bin"))
}
