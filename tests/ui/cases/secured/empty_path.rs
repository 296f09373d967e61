use tollgate::{BearerToken, secured};

#[secured]
async fn handler(#[security()] token: BearerToken) {
    drop(token);
}

fn main() {}
