use tollgate::http_bearer;

#[http_bearer(rejection("denied"))]
struct Bearer;

fn main() {}
