use tollgate::{Rejection, dependency, secured};

#[dependency]
fn user() -> Result<String, Rejection> {
    Ok(String::new())
}

#[secured]
#[tracing::instrument(fields(user = %user.as_str()))]
async fn handler(#[security(user)] user: String) {
    drop(user);
}

fn main() {}
