use doorward::jwt::{BuildError, SigningKey, TokenAuthority};

const SERVICE: &str = "https://id.example.com";

/// The first deployment publishes both keys, and signs with the old one. The second swaps the two,
/// once each verifier can have fetched the new one. The third drops the old one, once its last token
/// has expired.
fn authority(
    signs: SigningKey,
    verifies: Option<SigningKey>,
) -> Result<TokenAuthority, BuildError> {
    let authority = TokenAuthority::builder(SERVICE, signs).audience("https://api.example.com");
    let authority = match verifies {
        Some(key) => authority.accept_key(key),
        None => authority,
    };
    authority.build()
}

#[tokio::test]
async fn no_token_is_refused_before_its_time() {
    use doorward::SecurityScopes;
    use doorward::jwt::{Algorithm, TokenVerifier};

    // Each deployment reads the keys anew.
    let key = |byte: u8| SigningKey::secret([byte; 32]);
    let deployments = [
        authority(key(1), Some(key(2))).unwrap(),
        authority(key(2), Some(key(1))).unwrap(),
        authority(key(2), None).unwrap(),
    ];
    // Who signs, who verifies, and whether the token gets in.
    for (signs, verifies, is_in) in [(0, 1, true), (1, 0, true), (1, 2, true), (0, 2, false)] {
        let token = deployments[signs].token("johndoe").sign().unwrap();
        let tokens: TokenVerifier<serde_json::Value> =
            deployments[verifies].verifier().build().await.unwrap();
        let verified = tokens.verify(&token, SecurityScopes::NONE).await;
        assert_eq!(verified.is_ok(), is_in, "{signs} {verifies}");
    }
    // Of a pair of keys, others see the public half.
    let pair = || SigningKey::random(Algorithm::EdDsa).unwrap();
    let published = authority(pair(), Some(pair())).unwrap();
    assert_eq!(published.jwks().matches("\"kid\"").count(), 2, "{}", published.jwks());
}
