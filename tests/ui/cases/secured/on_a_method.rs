use tollgate::{oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct Api;

impl Api {
    #[secured(OAuth2)]
    async fn handler(&self) {}
}

fn main() {}
