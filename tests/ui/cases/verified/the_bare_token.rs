include!("../../verifier.rs");

#[http_bearer(verified = String, by = Tokens)]
struct Api;

#[secured]
async fn handler(#[security(Api)] _token: BearerToken) {}

fn main() {}
