//! Writes random trees of dependencies as source code, with the data for a model of them.
//! `tests/behaviour/trees.rs` and `alternatives.rs` include the files. The trees come from a fixed
//! seed. `TOLLGATE_TREES_SEED` sets another one.

mod alternatives;
mod random;
mod trees;

use std::path::PathBuf;
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
    Ok(())
}
