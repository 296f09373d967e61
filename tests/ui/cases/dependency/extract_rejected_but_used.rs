use axum::{Router, routing::get};
use tollgate::{Rejection, dependency};

struct User;

#[dependency(extract, insufficient_scope = 404)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

async fn own(_user: User) {}

async fn anybody(_user: Option<User>) {}

fn main() {
    let _: Router = Router::new().route("/own", get(own)).route("/anybody", get(anybody));
}
