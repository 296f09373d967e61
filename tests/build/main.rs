//! Writes random trees of dependencies and random handlers as source code, with the data for a
//! model of them. `trees.rs`, `alternatives.rs` and `undecided/random.rs` of `tests/behaviour`
//! include the files, and `tests/ui` compiles the handlers once more. They come from a fixed seed.
//! `DOORWARD_TREES_SEED` sets another one.

mod alternatives;
#[allow(dead_code, reason = "`tests/ui` reads all of it")]
mod handlers;
mod random;
mod trees;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use self::random::Random;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=DOORWARD_TREES_SEED");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    let trees = trees::generate(&mut Random::seeded())?;
    fs::write(folder.join("trees.rs"), trees)?;
    let alternatives = alternatives::generate(&mut Random::seeded())?;
    fs::write(folder.join("alternatives.rs"), alternatives)?;
    fs::write(folder.join("handlers.rs"), handlers(&mut Random::seeded())?)?;
    Ok(())
}

/// Returns the handlers in the plain router, and those that are declared in the one that takes no
/// others.
fn handlers(random: &mut Random) -> Result<String, std::fmt::Error> {
    let handlers::Program { items, declared, .. } = handlers::generate(random)?;
    let mut source = items + "pub fn plain() -> axum::Router {\n    axum::Router::new()\n";
    for number in 0..declared.len() {
        writeln!(source, "        .route(\"/{number}\", axum::routing::get(h{number}))")?;
    }
    source += "}\npub fn checked() -> Router {\n    Router::new()\n";
    for (number, _) in declared.iter().enumerate().filter(|(_, is_declared)| **is_declared) {
        writeln!(source, "        .route(\"/{number}\", get(h{number}))")?;
    }
    writeln!(source, "}}\npub const DECLARED: &[bool] = &{declared:?};")?;
    Ok(source)
}
