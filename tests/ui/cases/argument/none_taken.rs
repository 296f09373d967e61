include!("../../roles.rs");

#[dependency]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<u32, BearerError> {
    Ok(1)
}

#[secured(user(Role::Admin))]
async fn guarded() {}

#[secured]
async fn handler(#[security(OAuth2("api"))] token: BearerToken) {
    let _ = token;
}

fn main() {}
