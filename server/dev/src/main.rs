//! `cargo dev`: the one door for people and CI.

mod generate;
fn main() -> anyhow::Result<()> {
    generate::write(std::path::Path::new("."))
}
