include!("../../callers.rs");

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
