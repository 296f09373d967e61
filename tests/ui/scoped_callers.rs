// What the mistakes of scopes in `cases/one_of` have in common. The scopes of the user are checked.

#[allow(unused_imports)]
use tollgate::{
    ApiKey, BearerError, BearerToken, Rejection, SecurityScopes, api_key, dependency, oauth2_password_bearer, one_of,
    secured,
};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn user(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}
