use doorward::{BearerError, BearerToken, SecurityScopes, dependency, open_id_connect, secured};

#[open_id_connect(url = "")]
struct EmptyUrl;

const URL: &str = "";

#[open_id_connect(url = URL)]
struct EmptyUrlInAConstant;

#[open_id_connect(url = "/.well-known/openid-configuration", scopes("profile"))]
struct MistakeBesideTheScopes;

#[dependency]
fn user(#[security(MistakeBesideTheScopes)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user, scopes("profile"))]
async fn profile() {}

#[open_id_connect(url = "/.well-known/openid-configuration", scopes("profile" = "Read the profile."))]
struct Login;

#[open_id_connect(url = "/.well-known/openid-configuration")]
struct WithoutScopes;

#[dependency]
fn login(#[security(Login)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[dependency]
fn other(#[security(WithoutScopes)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(login, scopes("profil"))]
async fn scope_not_declared() {}

#[secured(other, scopes("email"))]
async fn email() {}

#[open_id_connect]
struct WithoutAUrl;

fn main() {}
