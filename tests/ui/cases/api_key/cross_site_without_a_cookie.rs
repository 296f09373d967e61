use tollgate::api_key;

#[api_key(header = "x-api-key", cross_site)]
struct Key;

fn main() {}
