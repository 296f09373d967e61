use tollgate::{BearerToken, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct OAuth2;

#[dependency]
fn current_user(#[security(OAuth2)] token: BearerToken) -> BearerToken {
    token
}

fn main() {}
