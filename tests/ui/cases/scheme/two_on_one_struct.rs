use tollgate::{oauth2, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
#[oauth2]
struct OAuth2;

fn main() {}
