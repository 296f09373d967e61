use std::time::{Duration, SystemTime};

use doorward::SecurityScopes;
use doorward::jwt::{BuildError, SigningKey, TokenAuthority, TokenVerifier};
use doorward::verify::{Presented, Verified, Verify, VerifyError};

type Claims = serde_json::Value;

/// The verifiers before and after a date.
struct Tokens {
    until: SystemTime,
    before: TokenVerifier<Claims>,
    after: TokenVerifier<Claims>,
}

impl Tokens {
    async fn new(authority: &TokenAuthority, until: SystemTime) -> Result<Self, BuildError> {
        let before = authority.verifier().without_issuer().build().await?;
        Ok(Self { until, before, after: authority.verifier().build().await? })
    }
}

impl Verify for Tokens {
    type Claims = Claims;

    const READS_REQUEST: bool = false;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Claims>, VerifyError> {
        let is_before = SystemTime::now() < self.until;
        let tokens = if is_before { &self.before } else { &self.after };
        tokens.verify(token, scopes).await
    }
}

#[tokio::test]
async fn tokens_from_before_are_good_until_a_date() -> Result<(), BuildError> {
    let service = "https://notes.example.com";
    let [new_secret, old_secret] = ["7".repeat(64), "8".repeat(64)];
    let old = TokenAuthority::builder(service, SigningKey::secret(&*old_secret)).token_type("JWT");
    let old = old.without_issuer().without_audience().build()?.token("johndoe").sign().unwrap();

    let authority = TokenAuthority::builder(service, SigningKey::secret(new_secret))
        .accept_key(SigningKey::secret(old_secret)) // verifies, and does not sign
        .build()?;
    let new = authority.token("johndoe").sign().unwrap();
    for (days, is_accepted) in [(1, true), (0, false)] {
        let until = SystemTime::now() + Duration::from_secs(days * 24 * 60 * 60);
        let tokens = Tokens::new(&authority, until).await?;
        assert_eq!(tokens.verify(&old, SecurityScopes::NONE).await.is_ok(), is_accepted);
        assert!(tokens.verify(&new, SecurityScopes::NONE).await.is_ok());
    }
    Ok(())
}
