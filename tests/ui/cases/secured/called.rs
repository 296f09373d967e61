use tollgate::{Rejection, dependency, secured};

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

#[secured(any(user, admin))]
async fn any_of() {}

#[secured(scopes("items"))]
async fn scopes_alone() {}

fn main() {}
