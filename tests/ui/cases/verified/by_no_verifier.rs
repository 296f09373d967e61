use tollgate::http_bearer;

struct Claims;
struct Tokens;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

fn main() {}
