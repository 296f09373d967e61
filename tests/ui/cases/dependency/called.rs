use tollgate::{dependency, secured};

#[dependency]
fn user() -> Result<u32, tollgate::Rejection> {
    Ok(1)
}

#[secured]
async fn handler(#[security(user())] user: u32) {
    let _ = user;
}

fn main() {}
