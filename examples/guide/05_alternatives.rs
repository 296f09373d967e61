use std::collections::HashMap;

use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::verify::Verified;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency, http_bearer, one_of, secured}; // new

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// Tokens of our users.
#[http_bearer(
    scopes(
        "me" = "Read about the user.",
        "items" = "Read items.",
        "items:write" = "Change items.",
    ),
    verified = Claims,
)]
struct Api;

/// Keys of our jobs.
#[api_key(header = "x-api-key")] // new
struct Key; // new

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Role {
    Reader,
    Admin,
}

#[derive(Clone)]
struct User {
    name: &'static str,
    role: Role,
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
#[dependency]
fn role(#[argument] least: Role, #[security(user)] user: User) -> Result<User, Rejection> {
    let forbidden = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights");
    if user.role >= least { Ok(user) } else { Err(forbidden) }
}

/// The job whose key this is.
#[dependency] // new
fn job(#[security(Key)] key: ApiKey) -> Result<&'static str, Rejection> { // new
    let unknown = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Unknown key"); // new
    if key.secret_eq("s3cret") { Ok("billing") } else { Err(unknown) } // new
}

#[one_of] // new
enum Caller { // new
    #[security(user)] // new
    User(User), // new
    #[security(job, unscoped)] // new
    Job(&'static str), // new
}

#[secured]
async fn me(#[security(user)] user: User) -> String {
    format!("{}\n", user.name)
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String { // new
    match caller { // new
        Caller::User(user) => format!("the items of {}\n", user.name), // new
        Caller::Job(job) => format!("all items, for {job}\n"), // new
    }
}

#[secured(role(Role::Admin), scopes("items:write"))]
async fn purge() -> &'static str {
    "no items are left\n"
}

fn users() -> Users {
    let johndoe = User { name: "John Doe", role: Role::Reader, is_closed: false };
    let alice = User { name: "Alice", role: Role::Reader, is_closed: true };
    let rita = User { name: "Rita", role: Role::Admin, is_closed: false };
    Users(HashMap::from([("johndoe", johndoe), ("alice", alice), ("rita", rita)]))
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    Router::new()
        .route("/me", get(me))
        .route("/items", get(items).delete(purge))
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
