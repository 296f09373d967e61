use tollgate::{BearerToken, Rejection, dependency, http_bearer, one_of, secured};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[cfg(test)]
    Anonymous,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
