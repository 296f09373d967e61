use tollgate::api_key;

#[api_key]
struct Key;

fn main() {}
