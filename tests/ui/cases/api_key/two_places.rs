use tollgate::api_key;

#[api_key(header = "x-api-key", query = "key")]
struct Key;

fn main() {}
