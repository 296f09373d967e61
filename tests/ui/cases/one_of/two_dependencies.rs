include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    #[security(service)]
    Both(String),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
