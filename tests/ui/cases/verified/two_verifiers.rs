include!("../../verifier.rs");

type Others = Tokens;

#[http_bearer(verified = String, by = Tokens, by = Others)]
struct Api;

fn main() {}
