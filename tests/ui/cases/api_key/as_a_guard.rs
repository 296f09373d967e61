use tollgate::{api_key, secured};

#[api_key(header = "x-api-key")]
struct Key;

#[secured(Key)]
async fn handler() {}

fn main() {}
