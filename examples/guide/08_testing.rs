use std::collections::HashMap;

use axum::Json;
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::utoipa_axum03::{OpenApiRouter, routes};
use doorward::verify::Verified;
use doorward::{
    ApiKey, Rejection, Shared, api_key, dependency, http_bearer, one_of, public, secured,
};
use utoipa::OpenApi;

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

fn app(tokens: TokenVerifier<Claims>) -> Router {
    let (router, description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(health))
        .routes(routes!(me))
        .routes(routes!(items, purge))
        .split_for_parts();
    router
        .route("/openapi.json", get(public("the API is no secret", Json(description))))
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

#[cfg(test)] // new
mod tests { // new
    use axum::body::Body; // new
    use axum::http::Request; // new
    use doorward::testing::{Overrides, TestAuthority}; // new
    use tower::ServiceExt; // new

    use super::*; // new

    fn johndoe() -> User { // new
        User { name: "John Doe", role: Role::Reader, is_closed: false } // new
    }

    #[tokio::test] // new
    async fn a_handler_is_a_function() { // new
        assert_eq!(me(johndoe().into()).await, "John Doe\n"); // new
        assert_eq!(purge(().into()).await, "no items are left\n"); // new
    }

    #[tokio::test] // new
    async fn a_dependency_is_a_function() { // new
        let claims = |sub: &str| Claims { sub: sub.to_owned() }; // new
        let of = |sub| Verified::new(claims(sub), ["me".to_owned()]); // new
        assert!(user(of("johndoe"), Shared::new(users())).await.is_ok()); // new
        assert!(user(of("alice"), Shared::new(users())).await.is_err()); // new
        assert!(role(Role::Admin, johndoe()).is_err()); // new
    }

    #[tokio::test] // new
    async fn administrators_delete_items() -> Result<(), Box<dyn std::error::Error>> { // new
        let authority = TestAuthority::new("https://api.example.com")?; // new
        let app = app(authority.verifier().build().await?); // new
        let expected = [(Role::Reader, StatusCode::FORBIDDEN), (Role::Admin, StatusCode::OK)]; // new
        for (role, status) in expected { // new
            let overrides = Overrides::new().with::<user>(move || User { role, ..johndoe() }); // new
            let request = Request::delete("/items").body(Body::empty())?; // new
            let response = app.clone().extension(overrides).oneshot(request).await?; // new
            assert_eq!(response.status(), status); // new
        }
        Ok(()) // new
    }

    #[tokio::test] // new
    async fn items_are_for_tokens_with_the_scope() -> Result<(), Box<dyn std::error::Error>> { // new
        let authority = TestAuthority::new("https://api.example.com")?; // new
        let app = app(authority.verifier().build().await?); // new
        let token = || authority.token("johndoe").scopes(["me", "items"]); // new
        for (token, status) in [ // new
            (token(), StatusCode::OK), // new
            (token().expired(), StatusCode::UNAUTHORIZED), // new
            (token().for_another_audience(), StatusCode::UNAUTHORIZED), // new
            (authority.token("johndoe").scopes(["me"]), StatusCode::FORBIDDEN), // new
            (authority.token("alice").scopes(["me", "items"]), StatusCode::FORBIDDEN), // new
        ] {
            let bearer = format!("Bearer {}", token.sign()?.as_str()); // new
            let request = Request::get("/items").header("authorization", bearer); // new
            let response = app.clone().oneshot(request.body(Body::empty())?).await?; // new
            assert_eq!(response.status(), status); // new
        }
        Ok(()) // new
    }
}
