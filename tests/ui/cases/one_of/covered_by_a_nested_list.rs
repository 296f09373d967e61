include!("../../callers.rs");

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
