use doorward::axum08::Router;
use doorward::axum08::routing::delete;
use doorward::{BearerToken, Rejection, dependency, http_bearer, secured};

#[http_bearer(scopes("delete" = "Delete repositories."))]
struct Tokens;

#[dependency]
fn user(#[security(Tokens)] token: BearerToken) -> Result<String, Rejection> {
    match token.as_str() {
        "t0k3n" => Ok("johndoe".to_owned()),
        _ => Err(Rejection::NOT_AUTHENTICATED),
    }
}

#[secured]
async fn remove(#[security(user, scopes("delete"))] user: String) -> String {
    format!("removed by {user}")
}

fn main() {
    let _app: Router = Router::new().route("/repositories/{id}", delete(remove));
}
