//! The library that computes signatures: AWS-LC, or RustCrypto. Each has the same three types: a
//! public key and a shared secret that are made ready once, and a private key.

#[cfg(feature = "jwt-aws-lc")]
#[path = "backend/aws_lc.rs"]
mod chosen;
#[cfg(not(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
#[path = "backend/none.rs"]
mod chosen;
#[cfg(all(feature = "jwt-rust-crypto", not(feature = "jwt-aws-lc")))]
#[path = "backend/rust_crypto.rs"]
mod chosen;

pub(crate) use self::chosen::{PrivateKey, ReadyKey, Secret, sha256};
use crate::build_error::BuildError;

/// Checks that a feature of this crate has chosen a backend.
pub(crate) fn check() -> Result<(), BuildError> {
    if cfg!(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")) {
        return Ok(());
    }
    Err(BuildError::new(
        "no backend for signatures is enabled; enable the feature `jwt-aws-lc` or `jwt-rust-crypto`",
    ))
}
