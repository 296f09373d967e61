include!("../../scoped_callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(BearerToken),
    #[security(service, unscoped)]
    Service(()),
}

#[secured]
async fn items(#[security(Caller, scopes("itmes"))] caller: Caller) {
    drop(caller);
}

#[secured]
async fn admin(#[security(Caller, scopes("admin"))] caller: Caller) {
    drop(caller);
}

fn main() {}
