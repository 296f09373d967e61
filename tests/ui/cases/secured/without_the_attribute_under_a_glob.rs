use tollgate::*;

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

async fn handler(#[security(OAuth2)] token: BearerToken) {
    drop(token);
}

fn main() {}
