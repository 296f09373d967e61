include!("../../callers.rs");

#[one_of(cache)]
enum Caller {
    #[security(user)]
    User(String),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
