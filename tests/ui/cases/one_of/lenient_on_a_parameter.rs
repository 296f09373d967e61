use tollgate::{BearerToken, http_bearer, secured};

#[http_bearer]
struct Api;

#[secured]
async fn me(#[security(Api, lenient)] _token: BearerToken) {}

fn main() {}
