use tollgate::{BearerToken, Rejection, dependency, http_bearer, secured};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[secured]
async fn handler(#[security(user, unscoped)] user: String) {
    drop(user);
}

#[secured(user, unscoped)]
async fn guard() {}

#[dependency]
fn admin(#[security(user, unscoped)] user: String) -> Result<String, Rejection> {
    Ok(user)
}

fn main() {}
