use tollgate::{ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of, secured};

#[http_bearer]
struct Token;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum Caller {
    #[security(user, service)]
    Both(String),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
