use tollgate::*;

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[security(OAuth2)]
async fn handler() {}

fn main() {}
