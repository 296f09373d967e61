use tollgate::{one_of, secured};

#[one_of(cache)]
enum Caller {
    User(String),
    #[cfg(test)]
    #[security(usr, scopes(1))]
    Other(String),
    #[security(service)]
    Service,
    Anonymous,
    Nobody,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
