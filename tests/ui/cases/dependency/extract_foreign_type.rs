use tollgate::{Rejection, dependency};

#[dependency(extract)]
fn user() -> Result<String, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn main() {}
