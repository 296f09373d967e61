// What the mistakes in `cases/verified` have in common: a verifier.

#[allow(unused_imports)]
use tollgate::verify::{Presented, Verified, Verify, VerifyError};
#[allow(unused_imports)]
use tollgate::{BearerToken, SecurityScopes, http_bearer, secured};

/// Refuses every token.
struct Tokens;

impl Verify for Tokens {
    type Claims = String;

    async fn verify(
        &self,
        _: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<String>, VerifyError> {
        Err(VerifyError::invalid_token(scopes))
    }
}
