use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[secured]
async fn handler(#[cfg(unix)] #[security(OAuth2)] token: BearerToken) {
    drop(token);
}

fn main() {}
