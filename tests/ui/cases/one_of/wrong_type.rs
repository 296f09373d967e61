include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(u32),
    #[security(service)]
    Service(Option<()>),
}

fn main() {}
