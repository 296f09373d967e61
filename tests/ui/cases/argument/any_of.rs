use tollgate::{Rejection, dependency, secured};

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

// A list of alternatives is a `#[one_of]`.
#[secured(any(user, admin))]
async fn any_of() {}

fn main() {}
