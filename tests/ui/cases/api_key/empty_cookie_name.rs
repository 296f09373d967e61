use tollgate::api_key;

#[api_key(cookie = "")]
struct Key;

fn main() {}
