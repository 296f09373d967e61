use tollgate::{BearerToken, http_bearer, one_of};

#[http_bearer(error = http::Response<String>)]
struct Api;

#[one_of]
enum Caller {
    #[security(Api)]
    Token(BearerToken),
}

fn main() {}
