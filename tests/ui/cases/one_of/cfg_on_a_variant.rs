include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[cfg(test)]
    Anonymous,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
