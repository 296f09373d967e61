use tollgate::{ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of, secured};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[api_key(header = "x api key")]
struct One;

#[api_key]
struct Two;

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(One)]
    One(ApiKey),
    #[security(Two)]
    Two(ApiKey),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
