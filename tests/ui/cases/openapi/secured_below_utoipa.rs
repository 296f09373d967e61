use tollgate::{oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[utoipa::path(get, path = "/", responses((status = 200)))]
#[secured(OAuth2)]
async fn handler() {}

fn main() {}
