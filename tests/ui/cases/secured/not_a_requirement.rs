use tollgate::{Rejection, dependency, secured};

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

#[secured(role = "admin")]
async fn role() {}

#[secured(user, "items")]
async fn scope_without_a_list() {}

#[secured(user, user)]
async fn two_guards() {}

#[secured]
async fn two_dependencies(#[security(user, user)] _user: ()) {}

fn main() {}
