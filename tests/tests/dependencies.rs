//! Dependencies and secured handlers.

use axum::extract::State;
use http::{HeaderValue, Method, Request, header::AUTHORIZATION, request::Parts};
use tollgate::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer, plan, secured};

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Me.", "items" = "Items."))]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[derive(Clone, Debug, PartialEq)]
struct User {
    name: String,
    scopes: SecurityScopes,
}

#[dependency]
async fn current_user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
    method: Method,
    State(database): State<&'static str>,
) -> Result<User, (http::StatusCode, &'static str)> {
    if token.is_empty() {
        return Err((http::StatusCode::FORBIDDEN, database));
    }
    Ok(User {
        name: format!("{method} {}", token.as_str()),
        scopes,
    })
}

#[dependency]
async fn active_user(#[security(current_user, scopes("me"))] user: User) -> User {
    user
}

#[dependency]
fn plain_user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
    method: Method,
) -> User {
    User {
        name: format!("{method} {}", token.as_str()),
        scopes,
    }
}

#[dependency]
fn plain_active(#[security(plain_user, scopes("me"))] user: User) -> User {
    user
}

#[secured]
async fn own_items(#[security(active_user, scopes("items"))] user: User) -> String {
    format!(
        "{} {:?} {}",
        user.name, user.scopes.scopes, user.scopes.scope_str
    )
}

#[secured(OAuth2, scopes("items"))]
async fn status() -> &'static str {
    "ok"
}

#[secured]
async fn maybe(#[security(Maybe)] token: Option<BearerToken>) -> String {
    token
        .map(|token| token.as_str().to_owned())
        .unwrap_or_default()
}

fn head(authorization: &'static str) -> Parts {
    let mut request = Request::new(());
    request
        .headers_mut()
        .insert(AUTHORIZATION, HeaderValue::from_static(authorization));
    request.into_parts().0
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

#[test]
fn a_plan_is_resolved_from_a_head() {
    let user =
        block_on(plan!(plain_active, scopes("items")).resolve(&mut head("Bearer a"))).unwrap();
    assert_eq!((&*user.name, user.scopes.scope_str), ("GET a", "items me"));
    assert_eq!(user.scopes.scopes, ["items", "me"]);
    assert!(block_on(plan!(plain_active).resolve(&mut head("Basic a"))).is_err());
}

#[test]
fn a_handler_is_secured() {
    use axum::routing::get;
    let app: axum::Router = axum::Router::new()
        .route("/items", get(own_items))
        .route("/status", get(status))
        .route("/maybe", get(maybe))
        .with_state("db");
    let _ = app;
}
