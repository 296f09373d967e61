use std::collections::HashMap;

use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// Tokens of our users.
#[http_bearer(
    scopes( // new
        "me" = "Read about the user.", // new
        "items" = "Read items.", // new
        "items:write" = "Change items.", // new
    ),
    verified = Claims,
)]
struct Api;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)] // new
enum Role { // new
    Reader, // new
    Admin, // new
}

#[derive(Clone)]
struct User {
    name: &'static str,
    role: Role, // new
    is_closed: bool,
}

/// Your database.
struct Users(HashMap<&'static str, User>);

/// The caller's account, unless it is closed.
#[dependency]
async fn user(
    #[security(Api, scopes("me"))] caller: Verified<Claims>,
    users: Shared<Users>,
) -> Result<User, Rejection> {
    match users.0.get(&*caller.sub) {
        Some(user) if !user.is_closed => Ok(user.clone()),
        _ => Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("No open account")),
    }
}

/// The caller, who has this role or one above it.
#[dependency] // new
fn role(#[argument] least: Role, #[security(user)] user: User) -> Result<User, Rejection> { // new
    let forbidden = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights"); // new
    if user.role >= least { Ok(user) } else { Err(forbidden) } // new
}

#[secured]
async fn me(#[security(user)] user: User) -> String {
    format!("{}\n", user.name)
}

#[secured]
async fn items(#[security(user, scopes("items"))] user: User) -> String {
    format!("the items of {}\n", user.name)
}

#[secured(role(Role::Admin), scopes("items:write"))] // new
async fn purge() -> &'static str { // new
    "no items are left\n" // new
}

fn users() -> Users {
    let johndoe = User { name: "John Doe", role: Role::Reader, is_closed: false }; // new
    let alice = User { name: "Alice", role: Role::Reader, is_closed: true }; // new
    let rita = User { name: "Rita", role: Role::Admin, is_closed: false }; // new
    Users(HashMap::from([("johndoe", johndoe), ("alice", alice), ("rita", rita)])) // new
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    Router::new()
        .route("/me", get(me))
        .route("/items", get(items).delete(purge)) // new
        .extension(Shared::new(tokens))
        .extension(Shared::new(users()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The log says why a token is refused. The answer does not.
    tracing_subscriber::fmt().with_env_filter("info,doorward=debug").init();
    let tokens = TokenVerifier::discover("http://127.0.0.1:9000", reqwest::Client::new())
        .audience("https://api.example.com")
        .build()
        .await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app(tokens)).await?;
    Ok(())
}
