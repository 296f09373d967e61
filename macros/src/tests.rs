//! Tests of expansions, without the compiler.

mod decisions;
mod documentation;
mod gallery;
mod snapshots;
