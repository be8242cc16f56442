//! The real coding CLIs, from the npm registry, for tests that are asked for with `--clis`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::{run, setup};

/// Installs the CLIs of `tests/clis` below the target folder and answers where their programs are.
pub(crate) fn install(root: &Path) -> Result<PathBuf> {
    let folder = run::target(root)?.join("clis");
    std::fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json"] {
        let from = root.join("tests/clis").join(name);
        std::fs::copy(&from, folder.join(name)).with_context(|| from.display().to_string())?;
    }
    setup::npm(&folder)?;
    Ok(folder.join("node_modules/.bin"))
}
