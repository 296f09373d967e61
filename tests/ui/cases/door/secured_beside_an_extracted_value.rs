use tollgate::axum08::Router;
use tollgate::axum08::routing::get;

include!("../../callers.rs");

struct Caller(String);

#[dependency(extract)]
fn caller(#[security(user)] user: String) -> Caller {
    Caller(user)
}

#[secured(service)]
async fn items(caller: Caller) -> String {
    caller.0
}

fn main() {
    let _app: Router = Router::new().route("/items", get(items));
}
