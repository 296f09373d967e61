use tollgate::{oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[secured(OAuth2)]
struct Handler;

fn main() {}
