use tollgate::{BearerToken, Rejection, SecurityScopes, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", realm = "users")]
struct OAuth2;

#[dependency(insufficient_scope = 401)]
fn no_scopes(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency(insufficient_scope = 200)]
fn success(#[security(OAuth2)] _token: BearerToken, _scopes: SecurityScopes) {}

#[dependency(insufficient_scope)]
fn no_status(#[security(OAuth2)] _token: BearerToken, _scopes: SecurityScopes) {}

fn main() {}
