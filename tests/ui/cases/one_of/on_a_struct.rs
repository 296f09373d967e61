use tollgate::{one_of, secured};

#[one_of]
struct Caller {
    #[security(user)]
    user: String,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
