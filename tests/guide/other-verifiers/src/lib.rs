//! The guide's code for another verifier, compiled and run: `cargo test --doc`.

#[cfg(doctest)]
#[doc = include_str!("../../../guide/verified_tokens.md")]
pub struct OtherVerifiers;
