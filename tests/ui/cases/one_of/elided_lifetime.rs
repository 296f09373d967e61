include!("../../callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(&str),
}

fn main() {}
