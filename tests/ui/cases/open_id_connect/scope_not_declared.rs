use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, open_id_connect, secured};

#[open_id_connect(url = "/.well-known/openid-configuration", scopes("profile" = "Read the profile."))]
struct Login;

#[open_id_connect(url = "/.well-known/openid-configuration")]
struct WithoutScopes;

#[dependency]
fn user(#[security(Login)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[dependency]
fn other(#[security(WithoutScopes)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user, scopes("profil"))]
async fn profile() {}

#[secured(other, scopes("email"))]
async fn email() {}

fn main() {}
