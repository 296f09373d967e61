use tollgate::http_basic;

#[http_basic(challenge = false)]
struct Login;

fn main() {}
