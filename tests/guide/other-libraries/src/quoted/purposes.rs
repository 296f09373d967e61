//! A service whose tokens have several purposes and the same claims, as vaultwarden has them: an
//! issuer for each, a type for each, and some of them come in a body.

use doorward::jwt::{BuildError, SigningKey, TokenAuthority, TokenVerifier};
use doorward::{BearerToken, SecurityScopes};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// The purposes of the tokens.
enum Login {}
enum Invitation {}

fn authority(purpose: &str, key: SigningKey) -> Result<TokenAuthority, BuildError> {
    let issuer = format!("https://vault.example.com|{purpose}"); // any text
    TokenAuthority::builder(issuer, key).token_type("JWT").without_audience().build()
}

async fn logins(key: SigningKey) -> Result<TokenVerifier<Claims, Login>, BuildError> {
    let tokens = authority("login", key)?.verifier().any_client(); // whatever a client has sent
    Ok(tokens.build().await?.for_purpose())
}

async fn invitations(key: SigningKey) -> Result<TokenVerifier<Claims, Invitation>, BuildError> {
    let tokens = authority("invite", key)?.verifier().without_expiry();
    Ok(tokens.build().await?.for_purpose())
}

/// Returns who is invited. The token comes in a body.
async fn invited(
    tokens: &TokenVerifier<Claims, Invitation>,
    token: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let claims = tokens.verify(&BearerToken::try_from(token)?, SecurityScopes::NONE).await?;
    Ok(claims.sub.clone())
}

#[tokio::test]
async fn a_token_has_one_purpose() {
    let key = || SigningKey::secret("7".repeat(64));
    let of = |purpose| authority(purpose, key()).unwrap();
    let login = of("login").token("ann").claim("client_id", "desktop").sign().unwrap();
    let invitation = of("invite").token("bob").sign().unwrap();
    let (logins, invitations) = (logins(key()).await.unwrap(), invitations(key()).await.unwrap());
    assert_eq!(logins.verify(&login, SecurityScopes::NONE).await.unwrap().sub, "ann");
    assert!(logins.verify(&invitation, SecurityScopes::NONE).await.is_err());
    assert_eq!(invited(&invitations, invitation.as_str()).await.unwrap(), "bob");
    assert!(invited(&invitations, login.as_str()).await.is_err());
    assert!(invited(&invitations, "").await.is_err());
}
