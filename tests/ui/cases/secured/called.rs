use tollgate::{Rejection, dependency, secured};

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

#[secured(user())]
async fn called() {}

#[secured(scopes("items"))]
async fn scopes_alone() {}

fn main() {}
