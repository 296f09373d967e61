use tollgate::{Rejection, dependency};

struct User;

#[dependency(extract)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency(extract)]
fn admin() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn main() {}
