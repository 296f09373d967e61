use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[axum::debug_handler]
#[secured]
async fn handler(#[security(OAuth2)] token: BearerToken) {
    drop(token);
}

fn main() {}
