use axum::Router;
use axum::routing::get;
use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, one_of, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
fn user(#[security(OAuth2)] token: String) -> Result<String, Rejection> {
    Ok(token)
}

#[one_of]
enum Caller {
    #[security(OAuth2)]
    User(u32),
    Guest,
}

#[secured]
async fn handler(#[security(user)] user: String, #[security(Caller)] caller: Caller) {
    drop((user, caller));
}

fn main() {
    let _: Router = Router::new().route("/", get(handler));
}
