use std::convert::Infallible;

use tollgate::{BearerToken, dependency, layer, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

enum Never {}

type NeverResult<T> = Result<T, Never>;

#[dependency]
async fn infallible(#[security(Maybe)] _token: Option<BearerToken>) -> Result<(), Infallible> {
    Ok(())
}

#[dependency]
fn never() -> NeverResult<()> {
    Ok(())
}

#[dependency]
fn above(#[security(infallible)] _value: ()) {}

#[secured(infallible)]
#[secured(above)]
async fn handler() {}

fn main() {
    let _ = layer!(never);
}
