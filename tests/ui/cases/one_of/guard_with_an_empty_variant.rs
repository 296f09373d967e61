include!("../../callers.rs");

#[one_of]
enum Visitor {
    #[security(user)]
    User(String),
    Anonymous,
}

#[secured(Visitor)]
async fn guard() {}

fn layer() {
    let _ = layer!(Visitor);
}

fn main() {}
