use tollgate::{AuthorizationValue, oauth2};

include!("../../callers.rs");

#[oauth2]
struct Any;

#[one_of]
enum Caller {
    #[security(Any)]
    Any(AuthorizationValue),
    #[security(user)]
    User(String),
}

fn main() {}
