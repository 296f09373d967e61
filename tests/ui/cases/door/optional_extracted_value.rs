use tollgate::axum08::Router;
use tollgate::axum08::routing::get;

include!("../../callers.rs");

struct Caller(String);

#[dependency(extract)]
fn caller(#[security(user)] user: String) -> Caller {
    Caller(user)
}

async fn items(caller: Option<Caller>) -> String {
    caller.map_or(String::new(), |caller| caller.0)
}

fn main() {
    let _app: Router = Router::new().route("/items", get(items));
}
