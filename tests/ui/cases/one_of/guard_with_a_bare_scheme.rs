use tollgate::{ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of, secured};

#[http_bearer]
struct Token;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(Key)]
    Key(ApiKey),
}

#[secured(Caller)]
async fn guard() {}

fn main() {}
