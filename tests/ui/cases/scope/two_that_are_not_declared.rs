use tollgate::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Items.", "me" = "Me."))]
struct OAuth2;

#[dependency]
fn token_of(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency]
fn user(#[security(token_of, scopes("itmes", "me", "ma"))] token: BearerToken) -> BearerToken {
    token
}

fn main() {}
