use tollgate::http;

#[http(scheme = "Bearer")]
struct Token;

fn main() {}
