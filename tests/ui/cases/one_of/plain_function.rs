use axum::Router;
use axum::routing::get;
use tollgate::{one_of, secured};

fn user() -> String {
    String::new()
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    Guest,
}

#[secured]
async fn handler(#[security(Caller)] caller: Caller) {
    drop(caller);
}

fn main() {
    let _: Router = Router::new().route("/", get(handler));
}
