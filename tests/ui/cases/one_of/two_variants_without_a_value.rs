include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    Anonymous,
    Nobody,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
