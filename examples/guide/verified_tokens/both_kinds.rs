use doorward::SecurityScopes;
use doorward::jwt::TokenVerifier;
use doorward::verify::{Introspection, Presented, Verified, Verify, VerifyError};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

struct Tokens {
    signed: TokenVerifier<Claims>,
    opaque: Introspection<Claims>,
}

impl Verify for Tokens {
    type Claims = Claims;

    const READS_REQUEST: bool = false;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Claims>, VerifyError> {
        let token = token.into();
        match token.token().as_str().matches('.').count() {
            2 => self.signed.verify(token, scopes).await,
            _ => self.opaque.verify(token, scopes).await,
        }
    }
}

#[tokio::test]
async fn a_signed_token_is_not_asked_about() -> Result<(), Box<dyn std::error::Error>> {
    use doorward::testing::TestAuthority;
    use doorward::verify::ClientLogin;

    let authority = TestAuthority::new("https://api.example.com")?;
    let login = ClientLogin::basic("items-api", "s3cret".to_owned());
    let tokens = Tokens {
        signed: authority.verifier().build().await?,
        opaque: Introspection::at("http://127.0.0.1:9/introspect", login)
            .audience("https://api.example.com")
            .build()?,
    };
    let signed = authority.token("johndoe").sign()?;
    let verified = tokens.verify(signed, doorward::security_scopes![]).await;
    assert_eq!(verified.map(|verified| verified.sub.clone()).ok().as_deref(), Some("johndoe"));
    Ok(())
}
