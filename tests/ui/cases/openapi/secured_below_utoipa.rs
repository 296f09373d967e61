use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[utoipa::path(get, path = "/", responses((status = 200)))]
#[secured]
async fn handler(#[security(OAuth2)] _token: BearerToken) {}

fn main() {}
