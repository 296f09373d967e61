use tollgate::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", resource = "https://users.example.com")]
struct Users;

#[oauth2_password_bearer(token_url = "token", resource = "https://admins.example.com")]
struct Admins;

#[oauth2_password_bearer(token_url = "token", realm = "plain")]
struct Plain;

#[dependency]
fn audience(
    #[security(Users)] token: BearerToken,
    #[security(Admins)] _admin: BearerToken,
    scopes: SecurityScopes,
) -> (BearerToken, SecurityScopes) {
    (token, scopes)
}

#[dependency]
fn one_of_them(
    #[security(Plain)] _plain: BearerToken,
    #[security(Users)] token: BearerToken,
    _scopes: SecurityScopes,
) -> BearerToken {
    token
}

fn main() {}
