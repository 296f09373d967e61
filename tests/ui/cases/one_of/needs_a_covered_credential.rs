include!("../../callers.rs");

#[dependency]
fn both(#[security(Token)] _token: BearerToken, #[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum Caller {
    #[security(service)]
    Service(()),
    #[security(both)]
    Both(()),
}

fn main() {}
