include!("../../roles.rs");

struct Limit(u32);

#[dependency]
fn limited(#[argument] limit: Limit, #[security(OAuth2)] _token: BearerToken) -> Result<(), BearerError> {
    if limit.0 > 3 { Ok(()) } else { Err(BearerError::invalid_token()) }
}

#[secured(layer = limited(Limit(4)))]
async fn below() {}

fn main() {}
