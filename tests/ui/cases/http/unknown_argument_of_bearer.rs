use tollgate::http_bearer;

#[http_bearer(formt = "JWT")]
struct Token;

fn main() {}
