use http::Method;
use tollgate::{Rejection, dependency};

#[dependency(extract)]
fn method() -> Result<Method, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn main() {}
