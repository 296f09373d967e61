use tollgate::{Rejection, dependency};

struct User;

#[dependency(local, extract)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[axum::debug_handler]
async fn own(_user: User) {}

fn main() {}
