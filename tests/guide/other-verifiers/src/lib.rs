//! A dependency that verifies tokens with huskarl-resource-server, which asks clients for nonces.

use axum::extract::OriginalUri;
use axum::{
    body::Body,
    http::request::Parts,
    response::{IntoResponse, Response},
};
use doorward::verify::Verified;
use doorward::{AuthorizationValue, SecurityScopes, Shared, dependency, oauth2};
use http::{StatusCode, Uri};
use huskarl_resource_server::validator::introspection::IntrospectionValidator;
use serde::Deserialize;

/// Tokens that are bound to a key of the client.
#[oauth2(flows(client_credentials(
    token_url = "https://id.example.com/token",
    scopes("items" = "Read items.")
)))]
pub struct Api;

/// The claims of a token.
#[derive(Clone, Deserialize)]
pub struct Claims {
    scope: Option<String>,
}

/// Returns the claims of a token with a proof of its key.
///
/// # Errors
///
/// Returns the answer of the library, or a `403`.
#[dependency]
pub async fn caller(
    #[security(Api)] _credentials: AuthorizationValue,
    scopes: SecurityScopes,
    head: Parts,
    OriginalUri(target): OriginalUri,
    tokens: Shared<IntrospectionValidator<Claims>>,
) -> Result<Verified<Claims>, Response> {
    let refused = || StatusCode::UNAUTHORIZED.into_response();
    // The URL that clients write: a proxy may have changed the host, and `nest` removes its prefix
    // from `head.uri`.
    let url = Uri::try_from(format!("https://api.example.com{}", target.path()))
        .map_err(|_| refused())?;
    let found = tokens.validate_request(&head.headers, &head.method, &url, None).await;
    if let Some(rejection) = found.rejection(&tokens.validator_metadata(None), None) {
        return Err(rejection
            .apply(Response::builder())
            .body(Body::empty())
            .unwrap_or_else(|_| refused()));
    }
    let claims = found.outcome.ok().flatten().ok_or_else(refused)?.claims;
    let granted = claims.scope.clone().unwrap_or_default();
    Verified::new(claims, granted.split(' ').map(str::to_owned))
        .require(scopes)
        .map_err(IntoResponse::into_response)
}
