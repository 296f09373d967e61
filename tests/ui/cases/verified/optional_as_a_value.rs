include!("../../verifier.rs");

#[http_bearer(verified = String, by = Tokens, auto_error = false)]
struct Api;

#[secured]
async fn handler(#[security(Api)] _caller: Verified<String>) {}

fn main() {}
