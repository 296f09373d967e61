//! Tests of expansions, without the compiler.

mod decisions;
mod gallery;
mod snapshots;
