use tollgate::{layer, oauth2, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[oauth2]
struct Base;

#[secured(OAuth2)]
async fn of_a_token() {}

#[secured(Base)]
async fn of_any_value() {}

fn main() {
    let _ = layer!(OAuth2);
}
