use tollgate::{Rejection, dependency, layer, plan};

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

fn main() {
    let _ = layer!(user, user);
    let _ = plan!(user, user);
}
