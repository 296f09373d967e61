include!("../../callers.rs");

#[secured]
async fn handler(#[security(user, unscoped)] user: String) {
    drop(user);
}

#[secured(user, unscoped)]
async fn guard() {}

#[dependency]
fn admin(#[security(user, unscoped)] user: String) -> Result<String, Rejection> {
    Ok(user)
}

fn main() {}
