use tollgate::{BearerToken, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
fn name(#[security(OAuth2)] _token: BearerToken) -> Option<&str> {
    None
}

fn main() {}
