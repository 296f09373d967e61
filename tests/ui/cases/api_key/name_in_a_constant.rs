use tollgate::api_key;

const HEADER: &str = "x-api-key";

#[api_key(header = HEADER)]
struct Key;

fn main() {}
