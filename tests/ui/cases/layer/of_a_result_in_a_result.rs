use tollgate::{Rejection, dependency, layer};

#[dependency]
fn user() -> Result<Result<(), Rejection>, Rejection> {
    Ok(Err(Rejection::NOT_AUTHENTICATED))
}

fn main() {
    let _ = layer!(user);
}
