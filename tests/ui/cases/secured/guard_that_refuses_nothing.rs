use tollgate::{BearerToken, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[dependency]
fn maybe_user(#[security(Maybe)] token: Option<BearerToken>) -> String {
    format!("{}", token.is_some())
}

#[secured(maybe_user)]
async fn handler() {}

fn main() {}
