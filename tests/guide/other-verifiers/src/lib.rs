//! The guide's page about other verifiers, compiled and run: `cargo test --doc`.

#[cfg(doctest)]
#[doc = include_str!("../../../guide/other_verifiers.md")]
pub struct OtherVerifiers;
