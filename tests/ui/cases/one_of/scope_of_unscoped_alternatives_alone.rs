include!("../../scoped_callers.rs");

#[one_of]
enum Caller {
    #[security(user, unscoped)]
    User(BearerToken),
    #[security(service, unscoped)]
    Service(()),
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) {
    drop(caller);
}

fn main() {}
