use tollgate::http;

#[http(scheme = "basic")]
struct Login;

fn main() {}
