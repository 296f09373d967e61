use tollgate::api_key;

#[api_key(heder = "x-api-key")]
struct Key;

fn main() {}
