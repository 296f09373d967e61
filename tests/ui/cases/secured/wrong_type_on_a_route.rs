use axum::Router;
use axum::routing::get;
use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[derive(Clone)]
struct User;

#[dependency]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<User, Rejection> {
    Ok(User)
}

#[secured]
async fn plain(#[security(user)] user: String) {
    drop(user);
}

#[secured]
async fn optional(#[security(user)] user: Option<User>) {
    drop(user);
}

fn main() {
    let _: Router = Router::new().route("/", get(plain)).route("/optional", get(optional));
}
