use tollgate::http_bearer;

struct Tokens;

#[http_bearer(by = Tokens)]
struct Api;

fn main() {}
