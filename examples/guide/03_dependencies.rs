use std::collections::HashMap; // new

use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode; // new
use doorward::jwt::TokenVerifier;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured}; // new

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// Tokens of our users.
#[http_bearer(
    scopes("me" = "Read about the user.", "items" = "Read items."), // new
    verified = Claims,
)]
struct Api;

#[derive(Clone)] // new
struct User { // new
    name: &'static str, // new
    is_closed: bool, // new
}

/// Your database.
struct Users(HashMap<&'static str, User>); // new

/// The caller's account, unless it is closed.
#[dependency] // new
async fn user( // new
    #[security(Api, scopes("me"))] caller: Verified<Claims>, // new
    users: Shared<Users>, // new
) -> Result<User, Rejection> { // new
    match users.0.get(&*caller.sub) { // new
        Some(user) if !user.is_closed => Ok(user.clone()), // new
        _ => Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("No open account")), // new
    }
}

#[secured] // new
async fn me(#[security(user)] user: User) -> String { // new
    format!("{}\n", user.name) // new
}

#[secured]
async fn items(#[security(user, scopes("items"))] user: User) -> String { // new
    format!("the items of {}\n", user.name) // new
}

fn users() -> Users { // new
    let johndoe = User { name: "John Doe", is_closed: false }; // new
    let alice = User { name: "Alice", is_closed: true }; // new
    Users(HashMap::from([("johndoe", johndoe), ("alice", alice)])) // new
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    Router::new() // new
        .route("/me", get(me)) // new
        .route("/items", get(items)) // new
        .extension(Shared::new(tokens)) // new
        .extension(Shared::new(users())) // new
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
