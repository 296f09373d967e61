use tollgate::verify::{Presented, Verified, Verify, VerifyError};
use tollgate::{SecurityScopes, http_bearer, secured};

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

#[http_bearer(verified = String, by = Tokens, auto_error = false)]
struct Api;

#[secured(Api)]
async fn handler() {}

fn main() {}
