use tollgate::api_key;

#[api_key(query = 5)]
struct Key;

fn main() {}
