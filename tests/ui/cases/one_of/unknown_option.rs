include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user, unscopd)]
    User(String),
    #[security(service, unscoped, unscoped)]
    Service(()),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
