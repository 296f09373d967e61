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

#[cfg(test)]
mod tests {
    use axum::{Extension, Router, routing::get};
    use huskarl_resource_server::core::{
        Error,
        client_auth::NoAuth,
        http::{HttpClient, HttpResponse, Idempotency},
        platform::MaybeSendBoxFuture,
    };
    use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp, jwk::Jwk};
    use tower::ServiceExt as _;

    use super::*;

    /// Says of each token that it is good, and bound to the key of [`proof`].
    struct Issuer;

    impl HttpClient for Issuer {
        fn execute(
            &self,
            _: http::Request<bytes::Bytes>,
            _: Idempotency,
        ) -> MaybeSendBoxFuture<'_, Result<HttpResponse, Error>> {
            let body = r#"{"active":true,"aud":"https://api.example.com","scope":"items","cnf":{"jkt":"--6IM5l0OosLj9yWskISYhUA3n_3CURQkmrYMSha_ck"}}"#.into();
            let headers = http::HeaderMap::from_iter([(
                http::header::CONTENT_TYPE,
                http::HeaderValue::from_static("application/json"),
            )]);
            Box::pin(async move { Ok(HttpResponse { status: StatusCode::OK, headers, body }) })
        }
    }

    /// Returns a proof of the token `t0k3n`.
    fn proof(method: &str, url: &str) -> String {
        let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
        let mut der = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20".to_vec();
        der.extend([7; 32]);
        let key = EncodingKey::from_ed_der(&der);
        let jwk = Some(Jwk::from_encoding_key(&key, Algorithm::EdDSA).unwrap());
        let header =
            Header { typ: Some("dpop+jwt".to_owned()), jwk, ..Header::new(Algorithm::EdDSA) };
        let token_hash = "uByCmsVehY6ifCpAFNKgc6GJ7zkfHIXUIU-FfU1cA5o";
        let claims = serde_json::json!({"jti": "1", "htm": method, "htu": url, "iat": get_current_timestamp(), "ath": token_hash});
        encode(&header, &claims, &key).unwrap()
    }

    #[doorward::secured(caller, scopes("items"))]
    async fn items() {}

    #[tokio::test]
    async fn each_proof_is_for_its_request() -> Result<(), Box<dyn std::error::Error>> {
        let tokens = IntrospectionValidator::builder()
            .with_claims::<Claims>()
            .introspection_endpoint("https://id.example.com/introspect".parse()?);
        let tokens = tokens.client_id("items-api").client_auth(NoAuth);
        let tokens = tokens.aud("https://api.example.com").http_client(Issuer).build().await?;
        let items = Router::new().route("/items", get(items));
        let app = Router::new()
            .nest("/users", items.clone())
            .merge(items)
            .layer(Extension(Shared::new(tokens)));
        for (scheme, method, path, target, expected) in [
            ("DPoP", "GET", "/items", "/items", 200),
            ("DPoP", "POST", "/items", "/items", 401),
            ("DPoP", "GET", "/other", "/items", 401),
            ("Bearer", "GET", "/items", "/items", 401),
            ("DPoP", "GET", "/items", "/users/items", 401),
            ("DPoP", "GET", "/users/items", "/users/items", 200),
        ] {
            let request = http::Request::get(target)
                .header("dpop", proof(method, &format!("https://api.example.com{path}")));
            let request =
                request.header("authorization", format!("{scheme} t0k3n")).body(Body::empty())?;
            assert_eq!(
                app.clone().oneshot(request).await?.status(),
                expected,
                "{scheme} {method} {path} at {target}"
            );
        }
        Ok(())
    }
}
