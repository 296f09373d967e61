use tollgate::{AuthorizationValue, BearerToken, Rejection, dependency, secured};

#[dependency]
fn user(token: BearerToken, value: tollgate::AuthorizationValue) -> Result<String, Rejection> {
    drop(value);
    Ok(token.as_str().to_owned())
}

#[secured(user)]
async fn handler(token: Option<BearerToken>) {
    drop(token);
}

type Value = AuthorizationValue;

#[secured(user)]
async fn under_an_alias(value: Value) {
    drop(value);
}

fn main() {
    let _: axum::Router = axum::Router::new().route("/", axum::routing::get(handler));
}
