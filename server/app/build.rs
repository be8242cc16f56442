//! Lays the built page where it can be embedded; a line in its place when it was not built.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const PLACEHOLDER: &str = "<!doctype html><title>Glasshouse</title>\
    <p>This build has no page: run <code>npm run build</code> in <code>web</code> and build again.";

fn main() -> io::Result<()> {
    let built = Path::new("../../web/dist");
    let page = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("page");
    println!("cargo::rerun-if-changed={}", built.display());
    if page.exists() {
        fs::remove_dir_all(&page)?;
    }
    if built.join("index.html").is_file() {
        copy(built, &page)
    } else {
        fs::create_dir_all(&page)?;
        fs::write(page.join("index.html"), PLACEHOLDER)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
