use tollgate::{api_key, secured};

struct Claims;

#[api_key(header = "x-api-key", verified = Claims)]
struct Key;

#[secured]
async fn handler(#[security(Key)] _caller: Claims) {}

fn main() {}
