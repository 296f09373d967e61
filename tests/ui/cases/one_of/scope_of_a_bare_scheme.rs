use tollgate::{
    ApiKey, BearerError, BearerToken, SecurityScopes, api_key, dependency, oauth2_password_bearer, one_of,
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

#[one_of]
enum Caller {
    #[security(user)]
    User(BearerToken),
    #[security(Key)]
    Key(ApiKey),
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) {
    drop(caller);
}

fn main() {}
