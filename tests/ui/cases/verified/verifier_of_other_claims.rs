include!("../../verifier.rs");

struct Claims;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

fn main() {}
