include!("../../callers.rs");

#[dependency]
fn generic<T>(#[security(Token)] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[dependency]
fn broken(#[security(Token, scops("items"))] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum Caller {
    #[security(generic)]
    Generic(u32),
    #[security(broken)]
    Broken(u32),
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {}
