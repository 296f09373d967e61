use std::collections::HashMap;

use axum::Json; // new
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::utoipa_axum03::{OpenApiRouter, routes}; // new
use doorward::verify::Verified;
use doorward::{
    ApiKey, Rejection, Shared, api_key, dependency, http_bearer, one_of, public, secured,
};
use utoipa::OpenApi; // new

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
#[api_key(header = "x-api-key")]
struct Key;

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
#[dependency]
fn job(#[security(Key)] key: ApiKey) -> Result<&'static str, Rejection> {
    let unknown = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Unknown key");
    if key.secret_eq("s3cret") { Ok("billing") } else { Err(unknown) }
}

#[one_of]
enum Caller {
    #[security(user)]
    User(User),
    #[security(job, unscoped)]
    Job(&'static str),
}

#[secured]
#[utoipa::path(get, path = "/me", responses((status = 200, description = "The caller", body = String)))] // new
async fn me(#[security(user)] user: User) -> String {
    format!("{}\n", user.name)
}

#[secured]
#[utoipa::path(get, path = "/items", responses((status = 200, description = "The items", body = String)))] // new
async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String {
    match caller {
        Caller::User(user) => format!("the items of {}\n", user.name),
        Caller::Job(job) => format!("all items, for {job}\n"),
    }
}

#[secured(role(Role::Admin), scopes("items:write"))]
#[utoipa::path(delete, path = "/items", responses((status = 200, description = "No items are left", body = String)))] // new
async fn purge() -> &'static str {
    "no items are left\n"
}

#[public(reason = "load balancers ask it")]
#[utoipa::path(get, path = "/health", responses((status = 200, description = "The service is well", body = String)))] // new
async fn health() -> &'static str {
    "ok\n"
}

#[derive(OpenApi)] // new
#[openapi(info(title = "Items"))] // new
struct Description; // new

fn users() -> Users {
    let johndoe = User { name: "John Doe", role: Role::Reader, is_closed: false };
    let alice = User { name: "Alice", role: Role::Reader, is_closed: true };
    let rita = User { name: "Rita", role: Role::Admin, is_closed: false };
    Users(HashMap::from([("johndoe", johndoe), ("alice", alice), ("rita", rita)]))
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    let (router, description) = OpenApiRouter::with_openapi(Description::openapi()) // new
        .routes(routes!(health)) // new
        .routes(routes!(me)) // new
        .routes(routes!(items, purge)) // new
        .split_for_parts(); // new
    router // new
        .route("/openapi.json", get(public("the API is no secret", Json(description)))) // new
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
    let app = app(tokens);
    print!("{}", app.routes());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app).await?;
    Ok(())
}
