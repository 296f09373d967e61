//! Tests of expansions, without the compiler.

mod expansions;
mod gallery;
mod snapshots;
