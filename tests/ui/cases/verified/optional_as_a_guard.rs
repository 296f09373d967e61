include!("../../verifier.rs");

#[http_bearer(verified = String, by = Tokens, auto_error = false)]
struct Api;

#[secured(Api)]
async fn handler() {}

fn main() {}
