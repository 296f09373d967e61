use tollgate::http;

#[http(scheme = "Digest SHA-256")]
struct Digest;

fn main() {}
