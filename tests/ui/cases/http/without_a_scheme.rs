use tollgate::http;

#[http]
struct Negotiate;

fn main() {}
