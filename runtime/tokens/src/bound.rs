//! Tokens that are bound to their client: each is worth nothing without the certificate
//! ([RFC 8705](https://www.rfc-editor.org/rfc/rfc8705)) or the private key
//! ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)) of the client that got it.

pub(crate) mod certificate;
mod destination;
pub(crate) mod key;
mod proof;
#[cfg(all(test, feature = "testing", any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests;
mod used_proofs;

use doorward_core::verify::{Verified, Verify, VerifyError};
use doorward_core::{BearerToken, SecurityScopes};

/// A verifier that says what its tokens are bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what its tokens are bound to",
    label = "not a `TokenVerifier`, `Issuers` or `Introspection`",
    note = "these three can be wrapped; a verifier of your own gets the certificate and the `DPoP` header from `Presented`"
)]
pub trait Bindable: Verify {
    /// Makes all checks on a token but two, which the wrapper makes in this order: what it is bound
    /// to, and its scopes.
    #[doc(hidden)]
    fn accept(
        &self,
        token: &BearerToken,
        scopes: SecurityScopes,
    ) -> impl Future<Output = Result<Verified<Self::Claims>, VerifyError>> + Send;
}
