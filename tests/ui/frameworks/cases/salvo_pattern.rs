use tollgate::{Security, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[salvo::handler]
async fn handler(Security(token): Security<OAuth2>) {
    drop(token);
}

fn main() {}
