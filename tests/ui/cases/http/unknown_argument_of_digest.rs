use tollgate::http_digest;

#[http_digest(realm = "admin")]
struct Digest;

fn main() {}
