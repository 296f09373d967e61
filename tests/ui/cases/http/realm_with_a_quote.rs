use tollgate::http_basic;

#[http_basic(realm = "the \"admin\" area")]
struct Login;

fn main() {}
