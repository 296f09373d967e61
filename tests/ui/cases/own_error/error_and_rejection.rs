use tollgate::{Rejection, http_bearer};

#[http_bearer(rejection = Rejection::NOT_AUTHENTICATED, error = http::Response<String>)]
struct Api;

fn main() {}
