use tollgate::{api_key, http_digest};

#[api_key(header = "x-api-key", realm = "machines")]
struct Key;

#[http_digest(resource = "https://api.example.com")]
struct Digest;

fn main() {}
