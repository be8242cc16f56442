//! `cargo dev run`: builds the page and both programs, and becomes `glasshouse serve`.

use std::os::unix::process::CommandExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::shell::{cargo, run as run_command};
use crate::{setup, shell};

/// What `cargo dev run` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build without optimisation, for developers.
    #[arg(long)]
    debug: bool,
    /// Passed on to `glasshouse serve`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    serve: Vec<String>,
}

/// Builds and starts Glasshouse. Returns only on failure.
pub(crate) fn run(root: &Path, args: &Args) -> Result<()> {
    setup::c_compiler()?;
    setup::page(root)?;
    let profile = if args.debug { "dev" } else { "release" };
    let build = ["build", "--quiet", "--profile", profile, "--package", "app", "--package", "host"];
    eprintln!("building Glasshouse ({profile})");
    run_command(&mut cargo(root, &build))?;
    let folder = target(root)?.join(if args.debug { "debug" } else { "release" });
    let mut serve = std::process::Command::new(folder.join("glasshouse"));
    serve.arg("serve").args(&args.serve);
    Err(serve.exec()).context("cannot start glasshouse")
}

/// Where cargo puts what it builds.
pub(crate) fn target(root: &Path) -> Result<std::path::PathBuf> {
    let text =
        shell::output(&mut cargo(root, &["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    Ok(metadata["target_directory"].as_str().context("cargo names its target folder")?.into())
}
