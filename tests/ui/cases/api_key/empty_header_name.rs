use tollgate::api_key;

#[api_key(header = "")]
struct Key;

fn main() {}
