use tollgate::{ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of};

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
enum Inner {
    #[security(user)]
    User(String),
    #[security(service)]
    Service(()),
}

#[one_of]
enum Caller {
    #[security(Inner)]
    Inner(Inner),
    #[security(Key)]
    Key(ApiKey),
}

fn main() {}
