use tollgate::verify::{Presented, Verified, Verify, VerifyError};
use tollgate::{SecurityScopes, http_bearer};

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

struct Claims;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

fn main() {}
