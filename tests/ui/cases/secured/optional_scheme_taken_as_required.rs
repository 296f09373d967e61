use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct OAuth2;

#[secured]
async fn handler(#[security(OAuth2)] token: BearerToken) {
    drop(token);
}

fn main() {}
