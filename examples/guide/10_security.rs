use std::collections::{HashMap, HashSet}; // new
use std::sync::RwLock; // new

use axum::Json;
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::{TokenVerifier, TokenVerifierBuilder, VerifierSettings}; // new
use doorward::utoipa_axum03::{OpenApiRouter, routes};
use doorward::verify::Verified;
use doorward::{
    ApiKey, Rejection, Shared, api_key, dependency, http_bearer, one_of, public, secured,
};
use tracing_subscriber::EnvFilter;
use utoipa::OpenApi;

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
    jti: String, // new
}

/// The tokens that were revoked. Keep them in your database, until a minute after they expire.
#[derive(Default)] // new
struct Revoked(RwLock<HashSet<String>>); // new

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
#[utoipa::path(get, path = "/me", responses((status = 200, description = "The caller", body = String)))]
async fn me(#[security(user)] user: User) -> String {
    format!("{}\n", user.name)
}

#[secured]
#[utoipa::path(get, path = "/items", responses((status = 200, description = "The items", body = String)))]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String {
    match caller {
        Caller::User(user) => format!("the items of {}\n", user.name),
        Caller::Job(job) => format!("all items, for {job}\n"),
    }
}

#[secured(role(Role::Admin), scopes("items:write"))]
#[utoipa::path(delete, path = "/items", responses((status = 200, description = "No items are left", body = String)))]
async fn purge() -> &'static str {
    "no items are left\n"
}

#[secured] // new
#[utoipa::path(post, path = "/logout", responses((status = 200, description = "The session is over", body = String)))] // new
async fn logout( // new
    #[security(Api)] caller: Verified<Claims>, // new
    revoked: Shared<Revoked>, // new
) -> Result<&'static str, StatusCode> { // new
    let mut revoked = revoked.0.write().map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?; // new
    revoked.insert(caller.jti.clone()); // new
    Ok("logged out\n") // new
}

#[public(reason = "load balancers ask it")]
#[utoipa::path(get, path = "/health", responses((status = 200, description = "The service is well", body = String)))]
async fn health() -> &'static str {
    "ok\n"
}

#[derive(OpenApi)]
#[openapi(info(title = "Items"))]
struct Description;

fn users() -> Users {
    let johndoe = User { name: "John Doe", role: Role::Reader, is_closed: false };
    let alice = User { name: "Alice", role: Role::Reader, is_closed: true };
    let rita = User { name: "Rita", role: Role::Admin, is_closed: false };
    Users(HashMap::from([("johndoe", johndoe), ("alice", alice), ("rita", rita)]))
}

/// A verifier that refuses revoked tokens, too.
fn refuse( // new
    tokens: TokenVerifierBuilder<Claims>, // new
    revoked: Shared<Revoked>, // new
) -> TokenVerifierBuilder<Claims> { // new
    tokens.refuse_if(move |claims| match revoked.0.read() { // new
        Ok(revoked) => Ok(revoked.contains(&claims.jti)), // new
        Err(_) => Err("a writer has panicked, so the list may lack a token"), // new
    })
}

fn app(tokens: TokenVerifier<Claims>, revoked: Shared<Revoked>) -> Router { // new
    let (router, description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(health))
        .routes(routes!(me))
        .routes(routes!(items, purge))
        .routes(routes!(logout)) // new
        .split_for_parts();
    router
        .route("/openapi.json", get(public("the API is no secret", Json(description))))
        .extension(Shared::new(tokens))
        .extension(Shared::new(users()))
        .extension(revoked) // new
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // RUST_LOG=info
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).init();
    let settings: VerifierSettings = serde_json::from_str(&std::env::var("TOKENS")?)?;
    let revoked = Shared::new(Revoked::default()); // new
    let tokens = TokenVerifier::from_settings(settings, reqwest::Client::new()); // new
    let app = app(refuse(tokens, revoked.clone()).build().await?, revoked); // new
    print!("{}", app.routes());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    let stop = async { tokio::signal::ctrl_c().await.unwrap_or_default() };
    axum::serve(listener, app).with_graceful_shutdown(stop).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::Request;
    use doorward::testing::{Overrides, TestAuthority};
    use tower::ServiceExt;

    use super::*;

    fn johndoe() -> User {
        User { name: "John Doe", role: Role::Reader, is_closed: false }
    }

    #[tokio::test]
    async fn a_handler_is_a_function() {
        assert_eq!(me(johndoe().into()).await, "John Doe\n");
        assert_eq!(purge(().into()).await, "no items are left\n");
    }

    #[tokio::test]
    async fn a_dependency_is_a_function() {
        let claims = |sub: &str| Claims { sub: sub.to_owned(), jti: String::new() }; // new
        let of = |sub| Verified::new(claims(sub), ["me".to_owned()]);
        assert!(user(of("johndoe"), Shared::new(users())).await.is_ok());
        assert!(user(of("alice"), Shared::new(users())).await.is_err());
        assert!(role(Role::Admin, johndoe()).is_err());
    }

    #[tokio::test]
    async fn administrators_delete_items() -> Result<(), Box<dyn std::error::Error>> {
        let authority = TestAuthority::new("https://api.example.com")?;
        let app = app(authority.verifier().build().await?, Shared::new(Revoked::default())); // new
        let expected = [(Role::Reader, StatusCode::FORBIDDEN), (Role::Admin, StatusCode::OK)];
        for (role, status) in expected {
            let overrides = Overrides::new().with::<user>(move || User { role, ..johndoe() });
            let request = Request::delete("/items").body(Body::empty())?;
            let response = app.clone().extension(overrides).oneshot(request).await?;
            assert_eq!(response.status(), status);
        }
        Ok(())
    }

    #[tokio::test]
    async fn items_are_for_tokens_with_the_scope() -> Result<(), Box<dyn std::error::Error>> {
        let authority = TestAuthority::new("https://api.example.com")?;
        let app = app(authority.verifier().build().await?, Shared::new(Revoked::default())); // new
        let token = || authority.token("johndoe").scopes(["me", "items"]);
        for (token, status) in [
            (token(), StatusCode::OK),
            (token().expired(), StatusCode::UNAUTHORIZED),
            (token().for_another_audience(), StatusCode::UNAUTHORIZED),
            (authority.token("johndoe").scopes(["me"]), StatusCode::FORBIDDEN),
            (authority.token("alice").scopes(["me", "items"]), StatusCode::FORBIDDEN),
        ] {
            let bearer = format!("Bearer {}", token.sign()?.as_str());
            let request = Request::get("/items").header("authorization", bearer);
            let response = app.clone().oneshot(request.body(Body::empty())?).await?;
            assert_eq!(response.status(), status);
        }
        Ok(())
    }
}
