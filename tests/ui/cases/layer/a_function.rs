use axum::Router;
use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
async fn user(#[security(OAuth2)] token: BearerToken) -> Result<BearerToken, Rejection> {
    Ok(token)
}

fn main() {
    let _: Router = Router::new().layer(user);
}
