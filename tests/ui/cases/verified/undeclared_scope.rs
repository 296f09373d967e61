include!("../../verifier.rs");

#[http_bearer(scopes("items" = "Read items."), verified = String, by = Tokens)]
struct Api;

#[secured(Api, scopes("item"))]
async fn handler() {}

fn main() {}
