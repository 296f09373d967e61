use doorward::axum08::{Router, routing::get};
use doorward::verify::Verified;
use doorward::{dependency, http_bearer, public, secured};

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

struct AuthUser(String);

#[dependency(extract)]
fn auth_user(#[security(Api)] caller: Verified<Claims>) -> AuthUser {
    AuthUser(caller.sub.clone())
}

/// Needs no attribute, because the parameter lets no request in without a token.
async fn me(user: AuthUser) -> String {
    user.0
}

#[public(reason = "visitors read it, too")]
async fn start(user: Option<AuthUser>) -> String {
    user.map_or("Log in".to_owned(), |user| user.0)
}

#[secured]
async fn items(#[security(auth_user, scopes("items"))] user: AuthUser) -> String {
    format!("the items of {}", user.0)
}

fn routes() -> Router {
    Router::new().route("/me", get(me)).route("/", get(start)).route("/items", get(items))
}

#[test]
fn the_extractor_declares_the_handler() {
    let table = routes().routes().to_string();
    assert!(table.contains("GET  /me     Api\n"), "{table}");
}
