use axum::Router;
use axum::routing::get;
use tollgate::secured;

struct User;

fn user() -> User {
    User
}

#[secured]
async fn handler(#[security(user)] user: User) {
    drop(user);
}

#[secured(user)]
async fn guarded() {}

fn main() {
    let _: Router = Router::new()
        .route("/", get(handler))
        .route("/guarded", get(guarded));
}
