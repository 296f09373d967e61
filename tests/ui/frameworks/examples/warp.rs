use tollgate::{BearerToken, dependency, oauth2_password_bearer, plan};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

fn route() {
    let _ = tollgate::warp04::security(plan!(error_is_no_response));
}

fn main() {}
