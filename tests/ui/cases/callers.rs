// What the mistakes in several files of `cases` have in common: a user with a token, a service with a key.

#[allow(unused_imports)]
use doorward::{
    ApiKey, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_bearer, layer, one_of, secured,
};

#[http_bearer]
struct Token;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}
