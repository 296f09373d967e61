include!("../../scoped_callers.rs");

#[one_of]
enum Caller {
    #[security(user, scopes("itmes"))]
    User(BearerToken),
    #[security(service)]
    Service(()),
}

fn main() {}
