use tollgate::{oauth2, secured};

#[oauth2]
struct OAuth2;

#[secured(OAuth2, scopes = "me")]
async fn handler() {}

fn main() {}
