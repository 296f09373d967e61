use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, open_id_connect, secured};

#[open_id_connect(url = "/.well-known/openid-configuration", scopes("profile"))]
struct Login;

#[dependency]
fn user(#[security(Login)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user, scopes("profile"))]
async fn profile() {}

fn main() {}
