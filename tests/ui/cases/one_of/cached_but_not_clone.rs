include!("../../callers.rs");

#[one_of(cached)]
enum Caller {
    #[security(user)]
    User(String),
}

#[one_of(cached, local)]
enum Local {
    #[security(user)]
    User(String),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
