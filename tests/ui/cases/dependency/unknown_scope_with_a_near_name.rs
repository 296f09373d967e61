use tollgate::{BearerToken, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

#[dependency]
fn current_user(#[security(OAuth2)] token: BearerToken) -> BearerToken {
    token
}

#[dependency]
fn active_user(#[security(current_user, scopes("itmes"))] token: BearerToken) -> BearerToken {
    token
}

fn main() {}
