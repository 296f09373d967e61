use tollgate::{ApiKey, Rejection, api_key, dependency, one_of};

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[api_key(header = "X-API-Key")]
struct Other;

#[one_of]
enum Caller {
    #[security(service)]
    Service(()),
    #[security(Other)]
    Other(ApiKey),
}

fn main() {}
