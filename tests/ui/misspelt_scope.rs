use doorward::{BearerToken, http_bearer, secured};

#[http_bearer(scopes("items" = "Read items."))]
struct Api;

#[secured]
async fn items(#[security(Api, scopes("itmes"))] _token: BearerToken) {}

fn main() {}
