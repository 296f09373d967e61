include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(Caller)]
    Again(Box<Caller>),
}

fn main() {}
