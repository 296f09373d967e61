use tollgate::api_key;

#[api_key(cookie = "session;id")]
struct Key;

fn main() {}
