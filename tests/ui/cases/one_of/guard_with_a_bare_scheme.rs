include!("../../callers.rs");

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
