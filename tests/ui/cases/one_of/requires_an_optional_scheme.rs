use tollgate::{BearerToken, http_bearer, one_of};

#[http_bearer(auto_error = false)]
struct Optional;

#[one_of]
enum Caller {
    #[security(Optional)]
    User(Option<BearerToken>),
}

fn main() {}
