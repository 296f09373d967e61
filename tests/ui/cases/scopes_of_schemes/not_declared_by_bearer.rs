use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, secured};

#[http_bearer(scopes("profile" = "Read the profile."))]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user, scopes("profil"))]
async fn profile() {}

fn main() {}
