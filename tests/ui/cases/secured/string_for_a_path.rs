use tollgate::{oauth2, secured};

#[oauth2]
struct OAuth2;

#[secured("OAuth2")]
async fn handler() {}

fn main() {}
