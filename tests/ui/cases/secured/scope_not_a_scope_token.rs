use tollgate::{oauth2, secured};

#[oauth2]
struct OAuth2;

#[secured(OAuth2, scopes("me items"))]
async fn handler() {}

fn main() {}
