use tollgate::http_basic;

#[http_basic(error = "ApiError")]
struct Login;

fn main() {}
