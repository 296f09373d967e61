//! Keys of an issuer, fetched over a socket with the client of each version of reqwest.

use axum::Router;
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use doorward::SecurityScopes;
use doorward::jwt::TokenVerifier;
use doorward::scheme::RejectionReason;
use doorward::testing::TestAuthority;
use doorward::verify::Fetch;
use serde_json::{Value, json};

const AUDIENCE: &str = "https://api.example.com";

/// What the issuer answers where its keys are.
#[derive(Clone, Copy)]
enum Keys {
    Good,
    /// Behind so many spaces that nobody reads them.
    TooLong,
    None,
}

/// Starts an issuer.
async fn issuer(keys: Keys) -> TestAuthority {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let authority = TestAuthority::new(AUDIENCE).unwrap().with_issuer(&*url);
    let metadata = json!({ "issuer": url, "jwks_uri": format!("{url}/keys") }).to_string();
    let jwks = authority.jwks().to_owned();
    let jwks = async move |headers: HeaderMap| {
        assert_eq!(headers[ACCEPT], "application/json, application/jwk-set+json");
        match keys {
            Keys::Good => (StatusCode::OK, jwks),
            Keys::TooLong => (StatusCode::OK, " ".repeat(512 * 1024) + &jwks),
            Keys::None => (StatusCode::NOT_FOUND, jwks),
        }
    };
    let app = Router::new()
        .route("/.well-known/openid-configuration", get(async || metadata))
        .route("/keys", get(jwks));
    tokio::spawn(async { axum::serve(listener, app).await });
    authority
}

async fn assert_fetches(client: impl Fetch + Clone) {
    for (keys, expected) in [
        (Keys::Good, Ok("johndoe".to_owned())),
        (Keys::TooLong, Err(RejectionReason::Unavailable)),
        (Keys::None, Err(RejectionReason::Unavailable)),
    ] {
        let authority = issuer(keys).await;
        let token = authority.token("johndoe").sign().unwrap();
        let tokens = TokenVerifier::<Value>::discover(authority.issuer(), client.clone());
        let tokens = tokens.audience(AUDIENCE).build().await.unwrap();
        let verified = tokens.verify(&token, SecurityScopes::NONE).await;
        let verified = verified.map(|verified| verified["sub"].as_str().unwrap().to_owned());
        assert_eq!(verified.map_err(|error| error.reason()), expected);
    }
}

#[tokio::test]
async fn each_version_of_reqwest_fetches() {
    assert_fetches(reqwest::Client::new()).await;
    assert_fetches(reqwest012::Client::new()).await;
}

/// The clients of these tests have no TLS.
#[tokio::test]
async fn a_client_without_tls_says_which_feature_is_missing() {
    async fn error(client: impl Fetch) -> String {
        let tokens = TokenVerifier::<Value>::discover("https://127.0.0.1:1", client);
        tokens.audience(AUDIENCE).build().await.unwrap_err().to_string()
    }
    let expected =
        "reqwest has no TLS; enable its feature `default-tls`, or `rustls` (0.12: `rustls-tls`)";
    for error in [error(reqwest::Client::new()).await, error(reqwest012::Client::new()).await] {
        assert!(error.contains(expected) && !error.contains("scheme is not http"), "{error}");
    }
}
