include!("../../callers.rs");

#[one_of]
enum Caller<T> {
    #[security(user)]
    User(T),
}

fn main() {}
