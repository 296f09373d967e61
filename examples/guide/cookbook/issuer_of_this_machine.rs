//! The template's issuer for development, and a service that is told of it.

#[expect(dead_code, reason = "`main` takes a port that may not be free")]
#[path = "../../template/examples/issuer.rs"]
mod issuer;

use doorward::jwt::{TokenVerifier, VerifierSettings};
use doorward::testing::TestAuthority;
use doorward::{BearerToken, SecurityScopes};
use serde_json::{Value, json};
use tokio::net::TcpListener;

async fn verifier(issuer: &str) -> Result<TokenVerifier<Value>, doorward::jwt::BuildError> {
    let settings = json!({ "issuer": issuer, "audience": "items-api" });
    let settings: VerifierSettings = serde_json::from_value(settings).unwrap();
    TokenVerifier::from_settings(settings, reqwest::Client::new()).build().await
}

#[tokio::test]
async fn its_tokens_are_checked_like_all_others() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let authority = TestAuthority::new("items-api").unwrap().with_issuer(&*url);
    let app = issuer::app(&authority).unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    let tokens = verifier(&url).await.unwrap();
    let is_in =
        async |token: BearerToken| tokens.verify(&token, SecurityScopes::NONE).await.is_ok();
    assert!(is_in(authority.token("johndoe").sign().unwrap()).await);
    assert!(!is_in(authority.token("johndoe").expired().sign().unwrap()).await);
    let other = TestAuthority::new("items-api").unwrap().with_issuer(&*url);
    assert!(!is_in(other.token("johndoe").sign().unwrap()).await);
}

/// The setting that names it opens no production: an issuer elsewhere needs TLS.
#[tokio::test]
async fn no_other_machine_can_be_named() {
    let error = verifier("http://10.0.0.1:9000").await.unwrap_err().to_string();
    assert!(error.contains("https"), "{error}");
}
