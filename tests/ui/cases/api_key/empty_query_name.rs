use tollgate::api_key;

#[api_key(query = "")]
struct Key;

fn main() {}
