use tollgate::http_bearer;

#[http_bearer(scopes("items" = "Read items."))]
struct Token;

fn main() {}
