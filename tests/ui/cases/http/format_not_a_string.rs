use tollgate::http_bearer;

#[http_bearer(format = JWT)]
struct Token;

fn main() {}
