//! `migrate!` embeds the migrations when the crate is compiled, and nothing else tells Cargo so.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
