include!("../../callers.rs");

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
