use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[axum::debug_handler]
async fn handler(token: OAuth2) {
    let _ = token;
}

fn main() {}
