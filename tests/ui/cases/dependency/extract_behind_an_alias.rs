use tollgate::{Rejection, dependency};

struct User;

type UserResult = Result<User, Rejection>;

#[dependency(extract)]
fn user() -> UserResult {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn main() {}
