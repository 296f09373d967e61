#![allow(unused_imports)]
use tollgate::{BearerToken, SecurityScopes, dependency, layer, oauth2_password_bearer, plan, secured};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items.", "me" = "Read the user."))]
struct OAuth2;

#[dependency]
fn in_a_dependency(#[security(OAuth2, scopes("me"))] token: BearerToken) -> BearerToken {
    token
}

#[secured]
async fn in_a_handler(#[security(OAuth2, scopes("items"))] token: BearerToken) {
    drop(token);
}

#[secured(OAuth2, scopes("items"))]
async fn in_a_guard() {}

fn main() {
    let _ = plan!(OAuth2, scopes("me"));
    let _ = layer!(OAuth2, scopes("me"));
}
