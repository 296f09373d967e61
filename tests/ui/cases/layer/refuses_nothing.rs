use tollgate::{BearerToken, dependency, layer, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[dependency]
fn anyone(#[security(Maybe)] token: Option<BearerToken>) -> String {
    format!("{}", token.is_some())
}

fn main() {
    let _ = layer!(anyone);
}
