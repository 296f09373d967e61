//! A program may import all names of the crate beside those of the crates that it uses.

use doorward::*;
use tower::{ServiceBuilder, service_fn};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<BearerToken, BearerError> {
    Ok(token)
}

#[test]
fn names_of_other_crates_stay_theirs() {
    let answer = async |_: http::Request<()>| Ok::<_, ()>(http::Response::new(String::new()));
    let _: layers::SecurityService<_, _> =
        ServiceBuilder::new().layer(layer!(user)).service(service_fn(answer));
}
