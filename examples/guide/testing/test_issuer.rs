use doorward::security_scopes;
use doorward::verify::TestIssuer;
use serde_json::{Value, json};

#[tokio::test]
async fn a_revoked_token_is_refused() -> Result<(), Box<dyn std::error::Error>> {
    let issuer = TestIssuer::new("https://api.example.com");
    let tokens = issuer.verifier::<Value>().build()?;

    let token = issuer.token("johndoe", ["items"])?;
    assert!(tokens.verify(&token, security_scopes!["items"]).await.is_ok());
    issuer.revoke(&token);
    assert!(tokens.verify(&token, security_scopes!["items"]).await.is_err());

    // Any other answer, here about a token for another service.
    issuer.answer(token.as_str(), json!({ "active": true, "aud": "https://other.example.com" }));
    assert!(tokens.verify(&token, security_scopes!["items"]).await.is_err());
    Ok(())
}
