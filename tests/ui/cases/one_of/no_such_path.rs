use tollgate::{one_of, secured};

#[one_of]
enum Caller {
    #[security(usr)]
    User(String),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
