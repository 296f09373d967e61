use tollgate::secured;

#[secured(OAuth2)]
async fn handler() {}

fn main() {}
