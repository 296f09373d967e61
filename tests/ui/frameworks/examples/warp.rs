use doorward::{BearerToken, dependency, oauth2_password_bearer, plan};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

fn route() {
    let _ = doorward::warp04::security(plan!(error_is_no_response));
}

/// A response of axum alone.
struct AxumError;

impl axum::response::IntoResponse for AxumError {
    fn into_response(self) -> axum::response::Response {
        axum::http::StatusCode::UNAUTHORIZED.into_response()
    }
}

#[dependency]
async fn error_of_another_framework(#[security(OAuth2)] token: BearerToken) -> Result<String, AxumError> {
    drop(token);
    Err(AxumError)
}

fn other_route() {
    let _ = doorward::warp04::security(plan!(error_of_another_framework));
}

fn main() {}
