use tollgate::api_key;

#[api_key(header = "Cookie")]
struct Key;

fn main() {}
