use tollgate::api_key;

#[api_key(header = "Authorization")]
struct Key;

fn main() {}
