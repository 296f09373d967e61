use axum::Router;
use axum::routing::get;
use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct User;

#[dependency(cached)]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<User, Rejection> {
    Ok(User)
}

#[secured]
async fn handler(#[security(user)] user: User) {
    drop(user);
}

fn main() {
    let _: Router = Router::new().route("/", get(handler));
}
