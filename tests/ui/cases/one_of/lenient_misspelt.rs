use tollgate::{BearerToken, http_bearer, one_of};

#[http_bearer]
struct Api;

#[one_of]
enum Visitor {
    #[security(Api, leniant)]
    Token(BearerToken),
    Nobody,
}

fn main() {}
