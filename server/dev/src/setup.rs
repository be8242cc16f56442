//! What the commands need from the machine, fetched where that can be done without asking.
//!
//! Debian packages are installed when we are root; otherwise one line says which to install.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::shell::{command, has, output, run};

/// The oldest Node.js that Vite runs on.
const NODE_MAJOR: u32 = 20;

/// Makes sure that Node.js is here and new enough.
pub(crate) fn node() -> Result<()> {
    let version = output(&mut command(Path::new("."), "node", &["--version"]))
        .context("Node.js 20 or newer is missing")?;
    let major = version.trim_start_matches('v').split('.').next().unwrap_or_default();
    if major.parse::<u32>().is_ok_and(|major| major >= NODE_MAJOR) {
        return Ok(());
    }
    bail!("Node.js {NODE_MAJOR} or newer is needed; this is {}", version.trim())
}

/// Makes sure that a C compiler is here.
pub(crate) fn c_compiler() -> Result<()> {
    if has("cc") || has("gcc") || has("clang") {
        return Ok(());
    }
    debian("gcc libc6-dev", "a C compiler (cc)")
}

/// The browser that the page is tested in.
pub(crate) fn chromium() -> Result<PathBuf> {
    let find = || {
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
            .into_iter()
            .map(PathBuf::from)
            .find(|path| path.is_file())
    };
    if let Some(path) = find() {
        return Ok(path);
    }
    debian("chromium", "Chromium")?;
    find().context("Chromium was installed but is not in /usr/bin")
}

/// The folder of PostgreSQL's server programs.
pub(crate) fn postgres() -> Result<PathBuf> {
    let find = || {
        let mut folders: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
            .filter(|folder| folder.join("initdb").is_file())
            .collect();
        folders.sort();
        folders.pop()
    };
    if let Some(folder) = find() {
        return Ok(folder);
    }
    debian("postgresql", "PostgreSQL's server programs")?;
    find().context("PostgreSQL was installed but has no initdb in /usr/lib/postgresql")
}

/// Installs a folder's Node packages when its lock file has changed since.
pub(crate) fn npm(folder: &Path) -> Result<()> {
    node()?;
    let lock = std::fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    // A copy of the lock file as it was installed: times would lie after a checkout.
    let stamp = folder.join("node_modules/.installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    eprintln!("installing Node packages in {}", folder.display());
    run(&mut command(folder, "npm", &["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
        .context("no network, or the npm registry cannot be reached")?;
    std::fs::write(&stamp, lock)?;
    Ok(())
}

/// Builds the page into `web/dist`, from where it is embedded.
pub(crate) fn page(root: &Path) -> Result<()> {
    let web = root.join("web");
    npm(&web)?;
    run(&mut command(&web, "npm", &["run", "--silent", "build"]))
}

/// Prints a line for everything a developer needs.
pub(crate) fn doctor(root: &Path) {
    let lines = [
        ("Rust", output(&mut command(root, "cargo", &["--version"])).map(|_| ())),
        ("C compiler", has("cc").then_some(()).context("install gcc")),
        ("Node.js", node()),
        ("PostgreSQL", postgres_here()),
        ("Chromium", has("chromium").then_some(()).context("install Debian's `chromium`")),
        ("nextest (optional)", has("cargo-nextest").then_some(()).context("`cargo test` is used")),
    ];
    for (name, state) in lines {
        match state {
            Ok(()) => println!("ok       {name}"),
            Err(error) => println!("missing  {name}: {error:#}"),
        }
    }
}

fn postgres_here() -> Result<()> {
    std::fs::exists("/usr/lib/postgresql")?
        .then_some(())
        .context("install Debian's `postgresql` package")
}

/// Installs Debian packages, or says that somebody has to.
fn debian(packages: &str, what: &str) -> Result<()> {
    if !is_root() || !has("apt-get") {
        bail!("{what} is missing: as root, `apt-get install {packages}`");
    }
    eprintln!("installing {packages}");
    let apt = |args: &[&str]| {
        output(command(Path::new("/"), "apt-get", args).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let names: Vec<_> = packages.split(' ').collect();
    let install = [&["install", "-y", "-qq", "--no-install-recommends"], names.as_slice()].concat();
    apt(&["update", "-qq"])
        .and_then(|_| apt(&install))
        .map(|_| ())
        .with_context(|| format!("{what} is missing and could not be installed"))
}

/// Whether we may install packages and switch users.
pub(crate) fn is_root() -> bool {
    user_id("").is_ok_and(|id| id == 0)
}

/// The numeric id of a user; of ourselves for an empty name.
pub(crate) fn user_id(name: &str) -> Result<u32> {
    let args: &[&str] = if name.is_empty() { &["-u"] } else { &["-u", name] };
    let text = output(&mut command(Path::new("/"), "id", args))?;
    text.trim().parse().with_context(|| format!("`id` answered {text:?}"))
}
