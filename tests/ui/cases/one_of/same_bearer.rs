use tollgate::{BearerToken, Rejection, dependency, http_bearer, one_of};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[http_bearer]
struct Other;

#[dependency]
fn service(#[security(Other)] token: BearerToken) -> Result<BearerToken, Rejection> {
    Ok(token)
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(service)]
    Service(BearerToken),
}

fn main() {}
