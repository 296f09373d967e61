use tollgate::{BearerToken, http_bearer, one_of};

#[http_bearer]
struct Api;

#[one_of(error = http::Response<String>)]
enum Caller {
    #[security(Api)]
    Token(BearerToken),
    Anonymous,
}

fn main() {}
