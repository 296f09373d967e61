//! Behaviour specific to each framework, beyond the responses that the conformance suite compares.

mod actix_web;
mod below_layers;
pub(crate) mod each;
mod extracted;
mod groups;
mod longest;
mod mistakes;
mod poem;
mod refusals;
mod replaced;
pub(crate) mod rocket;
pub(crate) mod salvo;
mod warp;
mod whole_responses;

use tollgate::{
    BearerToken, Overrides, Rejection, SecurityScopes, dependency, head::FromExtensions,
    oauth2_password_bearer, secured,
};

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Me.", "items" = "Items."))]
struct OAuth2;

/// Uses no framework's extractors, so handlers of every framework can share it.
#[dependency]
async fn user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, Rejection> {
    Ok(format!("{} {}", token.as_str(), scopes.scope_str()))
}

/// An axum handler and a plan over an `http` request depend on the same function.
#[tokio::test]
async fn frameworks_share_a_dependency() {
    #[secured]
    async fn own(#[security(user, scopes("me"))] user: String) -> String {
        user
    }
    let app = axum::Router::new().route("/", axum::routing::get(own));
    let request = http::Request::get("/").header("authorization", "Bearer john");
    let request = request.body(axum::body::Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(app, request).await.unwrap();
    let body = axum::body::to_bytes(response.into_body(), 100).await.unwrap();
    assert_eq!(body, "john me");

    let mut head = http::Request::get("/")
        .header("authorization", "Bearer john")
        .extension(FromExtensions(()))
        .body(())
        .unwrap()
        .into_parts()
        .0;
    let plan = tollgate::plan!(user, scopes("me"));
    assert_eq!(plan.resolve(&mut head).await.unwrap(), "john me");
    let missing = FromExtensions::<String>::from_head(&mut head).unwrap_err();
    assert_eq!(http::Response::<String>::from(missing).status(), 500);
}

/// Without a framework and behind the tower layer, overrides go into the request's extensions.
#[tokio::test]
async fn a_test_overrides_a_dependency() {
    let overrides = || Overrides::new().with::<user>(|| "test".to_owned());
    let request = http::Request::get("/").extension(overrides());
    let (mut head, ()) = request.body(()).unwrap().into_parts();
    let plan = tollgate::plan!(user, scopes("me"));
    assert_eq!(plan.resolve(&mut head).await.unwrap(), "test");

    let service = tower::service_fn(async |request: http::Request<()>| {
        let user = request.extensions().get::<String>().cloned();
        Ok::<_, core::convert::Infallible>(http::Response::new(user.unwrap_or_default()))
    });
    let service = tower::Layer::layer(&tollgate::layer!(user, scopes("me")), service);
    let request = http::Request::get("/").extension(overrides());
    let response = tower::ServiceExt::oneshot(service, request.body(()).unwrap());
    assert_eq!(response.await.unwrap().into_body(), "test");
}
