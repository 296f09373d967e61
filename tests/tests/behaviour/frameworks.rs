//! Behaviour specific to each framework, beyond the responses that the conformance suite compares.

mod actix_web;
mod below_layers;
mod challenged;
pub(crate) mod each;
mod extracted;
mod groups;
mod longest;
mod mistakes;
mod nested;
mod poem;
mod refusals;
mod replaced;
pub(crate) mod rocket;
pub(crate) mod salvo;
mod warp;
mod whole_responses;

use doorward::testing::Overrides;
use doorward::{BearerToken, Rejection, SecurityScopes, dependency, oauth2_password_bearer};

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

/// Behind the tower layer, overrides go into the request's extensions.
#[tokio::test]
async fn a_test_overrides_a_dependency() {
    let service = tower::service_fn(async |request: http::Request<()>| {
        let user = request.extensions().get::<String>().cloned();
        Ok::<_, core::convert::Infallible>(http::Response::new(user.unwrap_or_default()))
    });
    let service = tower::Layer::layer(&doorward::layer!(user, scopes("me")), service);
    let request =
        http::Request::get("/").extension(Overrides::new().with::<user>(|| "test".to_owned()));
    let response = tower::ServiceExt::oneshot(service, request.body(()).unwrap());
    assert_eq!(response.await.unwrap().into_body(), "test");
}
