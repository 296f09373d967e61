use tollgate::{BearerToken, Rejection, dependency, http_bearer, one_of};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[dependency]
fn settings() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum Caller {
    #[security(settings)]
    Settings(u32),
    #[security(user)]
    User(String),
    #[security(Token)]
    Token(BearerToken),
}

fn main() {}
