use tollgate::{ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of};

#[http_bearer]
struct Token;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[dependency]
fn both(#[security(Token)] _token: BearerToken, #[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum Caller {
    #[security(service)]
    Service(()),
    #[security(both)]
    Both(()),
}

fn main() {}
