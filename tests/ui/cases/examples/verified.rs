use doorward::{BearerToken, SecurityScopes, api_key, http_bearer, oauth2, secured};
use doorward::verify::{Presented, Verified, Verify, VerifyError};

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

struct Claims;

#[http_bearer(verified = "Claims")]
struct ANameInQuotes;

#[secured]
async fn handler(#[security(ANameInQuotes)] _caller: Verified<Claims>) {}

struct Rights;
struct NoVerifier;

#[http_bearer(verified = Rights, by = NoVerifier)]
struct ByNoVerifier;

#[oauth2(flows(password(token_url = "token")), verified = Claims)]
struct OnARawValue;

#[api_key(header = "x-api-key", verified = Claims)]
struct OnAnApiKey;

#[http_bearer(verified = Claims, auto_error = "reason")]
struct WithAReason;

#[secured]
async fn on_an_api_key(#[security(OnAnApiKey)] _caller: Claims) {}

#[http_bearer(verified = String, by = Tokens, auto_error = false)]
struct Api;

#[secured(Api)]
async fn optional_as_a_guard() {}

#[secured]
async fn optional_as_a_value(#[security(Api)] _caller: Verified<String>) {}

#[http_bearer(verified = String, by = Tokens)]
struct Checked;

#[secured]
async fn the_bare_token(#[security(Checked)] _token: BearerToken) {}

type Others = Tokens;

#[http_bearer(verified = String, by = Tokens, by = Others)]
struct TwoVerifiers;

#[http_bearer(scopes("items" = "Read items."), verified = String, by = Tokens)]
struct Scoped;

#[secured(Scoped, scopes("item"))]
async fn undeclared_scope() {}

#[http_bearer(verified = Claims, by = Tokens)]
struct VerifierOfOtherClaims;

struct Unused;

#[http_bearer(by = Unused)]
struct VerifierWithoutClaims;

#[http_bearer(verified = Claims)]
struct WithoutTheFeature;

#[secured]
async fn without_the_feature(#[security(WithoutTheFeature)] _caller: Verified<Claims>) {}

/// Checks the proofs of `Authorization: DPoP`.
struct Proved;

impl Verify for Proved {
    type Claims = String;

    const TAKES_DPOP: bool = true;

    async fn verify(
        &self,
        _: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<String>, VerifyError> {
        Err(VerifyError::invalid_token(scopes))
    }
}

#[http_bearer(dpop)]
struct ProofOfNobody;

#[http_bearer(dpop, verified = String, by = Tokens)]
struct ProofThatIsNotChecked;

#[http_bearer(verified = String, by = Proved)]
struct ProofThatIsNotRead;

#[api_key(header = "x-api-key", dpop)]
struct ProofOfAKey;

fn main() {}
