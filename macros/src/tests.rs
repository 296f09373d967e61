//! Tests of expansions, without the compiler.

mod blocks;
mod decisions;
mod documentation;
mod gallery;
mod snapshots;
