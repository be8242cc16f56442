//! `server/wire/PROTOCOL.md` carries a hash of the sources it specifies, so that it cannot rot
//! in silence: whoever changes `server/wire` reads it again and runs `cargo dev gen`.

use std::path::Path;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

const PAGE: &str = "server/wire/PROTOCOL.md";
const MARK: &str = "<!-- sources: ";

/// The page's faults: a stale hash, or none.
pub(super) fn faults(root: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join(PAGE)).context(PAGE)?;
    let expected = format!("{MARK}{} -->", hash(root)?);
    if text.lines().any(|line| line == expected) {
        return Ok(Vec::new());
    }
    Ok(vec![format!("{PAGE} is stale: read it against server/wire/src, then `cargo dev gen`")])
}

/// Writes the hash of the sources as they are.
pub(crate) fn stamp(root: &Path) -> Result<()> {
    let path = root.join(PAGE);
    let text = std::fs::read_to_string(&path).context(PAGE)?;
    let stamped: Vec<_> = text
        .lines()
        .map(|line| {
            if line.starts_with(MARK) {
                Ok(format!("{MARK}{} -->", hash(root)?))
            } else {
                Ok(line.to_owned())
            }
        })
        .collect::<Result<_>>()?;
    std::fs::write(path, stamped.join("\n") + "\n")?;
    Ok(())
}

fn hash(root: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    let sources = root.join("server/wire/src");
    let mut files = Vec::new();
    for folder in [sources.clone(), sources.join("host")] {
        for entry in std::fs::read_dir(folder)? {
            files.push(entry?.path());
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    for path in files {
        hasher.update(std::fs::read(path)?);
    }
    let digest = hasher.finalize();
    Ok(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}
