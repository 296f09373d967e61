use tollgate::{oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct OAuth2;

#[secured(OAuth2)]
async fn handler() {}

fn main() {}
