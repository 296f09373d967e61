use tollgate::{BearerToken, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token")]
struct Bare;

#[dependency]
fn current_user(#[security(OAuth2)] token: BearerToken) -> BearerToken {
    token
}

#[secured]
async fn in_a_parameter(#[security(current_user, scopes("items", "write"))] token: BearerToken) {
    drop(token);
}

#[secured(OAuth2, scopes("item"))]
async fn in_a_guard() {}

#[secured(Bare, scopes("items"))]
async fn without_scopes() {}

const READ: &str = "read";

#[secured(OAuth2, scopes(READ))]
async fn in_a_constant() {}

fn main() {}
