include!("../../scoped_callers.rs");

#[one_of]
enum Caller {
    #[security(user)]
    User(BearerToken),
    #[security(Key)]
    Key(ApiKey),
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) {
    drop(caller);
}

fn main() {}
