include!("../../callers.rs");

#[one_of]
enum Inner {
    #[security(user)]
    User(String),
    Anonymous,
}

#[one_of]
enum Caller {
    #[security(Inner)]
    Inner(Inner),
}

fn main() {}
