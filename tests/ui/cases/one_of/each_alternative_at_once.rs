include!("../../callers.rs");

#[dependency]
fn settings() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum Caller {
    #[security(settings)]
    Settings(u32),
    #[security(user)]
    User(String),
    #[security(Token)]
    Token(BearerToken),
}

fn main() {}
