use tollgate::{Rejection, dependency};

type Auth = Result<u32, Rejection>;

#[dependency]
fn current_user() -> Auth {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn main() {}
