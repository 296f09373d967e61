use tollgate::{AuthorizationValue, BearerToken, Rejection, dependency, http_bearer, oauth2, one_of};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

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
