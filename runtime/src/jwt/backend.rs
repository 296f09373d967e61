//! The library that computes signatures. It is named explicitly everywhere: the process-wide
//! default of `jsonwebtoken` panics unless exactly one of its features is enabled.

use jsonwebtoken::crypto::CryptoProvider;

use crate::verify::parts::build_error::BuildError;

/// Returns the backend that a feature of this crate has chosen: AWS-LC, or RustCrypto.
pub(super) fn backend() -> Result<&'static CryptoProvider, BuildError> {
    #[cfg(feature = "jwt-aws-lc")]
    return Ok(&jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER);
    #[cfg(all(feature = "jwt-rust-crypto", not(feature = "jwt-aws-lc")))]
    return Ok(&jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER);
    #[cfg(not(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
    Err(BuildError::new(
        "no backend for signatures is enabled; enable the feature `jwt-aws-lc` or `jwt-rust-crypto`",
    ))
}
