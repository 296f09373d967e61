use tollgate::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token")]
struct Bare;

#[dependency(unverified)]
fn current_user(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency(unverified)]
fn of_bare(#[security(Bare)] _token: BearerToken, _scopes: SecurityScopes) {}

#[secured]
async fn in_a_parameter(#[security(current_user, scopes("items", "write"))] token: BearerToken) {
    drop(token);
}

#[secured(current_user, scopes("item"))]
async fn in_a_guard() {}

#[secured(of_bare, scopes("items"))]
async fn without_scopes() {}

const READ: &str = "read";

#[secured(current_user, scopes(READ))]
async fn in_a_constant() {}

fn main() {}
