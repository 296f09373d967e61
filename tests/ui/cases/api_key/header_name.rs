use tollgate::api_key;

#[api_key(header = "api key")]
struct Key;

fn main() {}
