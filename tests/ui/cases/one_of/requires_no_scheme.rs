use tollgate::{BearerToken, Rejection, dependency, http_bearer, one_of};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[dependency]
fn service() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(service)]
    Service(u32),
}

fn main() {}
