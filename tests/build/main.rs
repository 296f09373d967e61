//! Writes random trees of dependencies as source code, with the data for a model of them.
//! `tests/behaviour/trees.rs` and `alternatives.rs` include the files. The trees come from a fixed
//! seed. `TOLLGATE_TREES_SEED` sets another one.
//!
//! Writes the README with its first program in one piece, so that it can be compiled.

mod alternatives;
mod random;
mod trees;

use std::path::{Path, PathBuf};
use std::{env, fs};

use self::random::Random;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=TOLLGATE_TREES_SEED");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    let trees = trees::generate(&mut Random::seeded())?;
    fs::write(folder.join("trees.rs"), trees)?;
    let alternatives = alternatives::generate(&mut Random::seeded())?;
    fs::write(folder.join("alternatives.rs"), alternatives)?;

    // Another package of the workspace uses this script too, at another depth.
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("Cargo.lock").exists());
    let readme = root.ok_or("no workspace")?.join("README.md");
    println!("cargo::rerun-if-changed={}", readme.display());
    let readme = fs::read_to_string(readme)?;
    let readme = in_one_piece(&readme).ok_or("the README has no program in two parts")?;
    fs::write(folder.join("README.md"), readme)?;
    Ok(())
}

/// Moves the first block of Rust in front of the second one, which is the rest of its program.
fn in_one_piece(readme: &str) -> Option<String> {
    let (before, rest) = readme.split_once("```rust\n")?;
    let (first, between) = rest.split_once("```\n")?;
    let (between, second) = between.split_once("```rust,no_run\n")?;
    Some(format!("{before}{between}```rust,no_run\n{first}{second}"))
}
