use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", realm = "users")]
struct Users;

#[oauth2_password_bearer(token_url = "token", realm = "admins", auto_error = false)]
struct Admins;

#[dependency]
fn user(#[security(Users)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[dependency]
fn admin(
    #[security(user)] _user: (),
    #[security(Admins)] _token: Option<BearerToken>,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[oauth2_password_bearer(token_url = "token")]
struct Plain;

#[dependency]
fn mixed(
    #[security(Users)] _token: BearerToken,
    #[security(Plain)] _other: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

fn main() {}
