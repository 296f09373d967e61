use tollgate::{BearerToken, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn user(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

#[secured]
#[axum::debug_handler]
async fn handler(#[security(user)] user: String) -> String {
    user
}

fn main() {}
