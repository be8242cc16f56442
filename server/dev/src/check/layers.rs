//! Who may import whom: the table of `server/ARCHITECTURE.md`, held over `cargo metadata`.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::shell::{cargo, output};

/// What a pure crate may never depend on.
const EDGES: &[&str] = &[
    "axum",
    "hyper",
    "libc",
    "mio",
    "nix",
    "portable-pty",
    "rand",
    "rustix",
    "socket2",
    "sqlx",
    "tokio",
    "tokio-util",
];

/// A crate, those of ours it may import, and others it may never.
type Layer = (&'static str, &'static [&'static str], &'static [&'static str]);

const LAYERS: &[Layer] = &[
    ("wire", &[], EDGES),
    ("vt", &[], EDGES),
    ("ws", &[], EDGES),
    ("pane", &["wire", "vt"], EDGES),
    ("link", &["wire"], &["axum", "sqlx", "portable-pty"]),
    ("store", &["wire"], &["axum", "hyper", "portable-pty", "rustix", "libc"]),
    ("host", &["wire", "vt", "pane", "link"], &["axum", "hyper", "sqlx"]),
    ("app", &["wire", "ws", "pane", "link", "store"], &["libc", "nix", "portable-pty", "rustix"]),
    ("dev", &["wire", "vt", "ws", "pane"], &["axum", "sqlx"]),
    ("e2e", &["wire", "vt", "ws", "pane"], &["axum", "sqlx"]),
];

/// Edges that the table does not allow.
pub(super) fn faults(root: &Path) -> Result<Vec<String>> {
    let list = ["metadata", "--format-version", "1", "--no-deps"];
    let metadata: Value = serde_json::from_str(&output(&mut cargo(root, &list))?)?;
    let packages = metadata["packages"].as_array().context("cargo lists its packages")?;
    let ours: Vec<_> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has a name")?;
        let Some((_, may, never)) = LAYERS.iter().find(|(layer, ..)| *layer == name) else {
            faults.push(format!("crate `{name}` is not in the table of layers"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let other = dependency["name"].as_str().unwrap_or_default();
            if ours.contains(&other) && !may.contains(&other) {
                faults.push(format!("`{name}` may not import `{other}`"));
            }
            // A test may drive a pure crate with whatever it likes.
            if dependency["kind"] != "dev" && never.contains(&other) {
                faults.push(format!("`{name}` may never touch `{other}`"));
            }
        }
    }
    Ok(faults)
}
