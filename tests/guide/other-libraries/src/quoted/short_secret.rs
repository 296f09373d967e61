//! A service that others install, with a secret of any length in its configuration. A derived key
//! signs where a short secret does not. However, it makes the secret no harder to guess, so ask the
//! users for a new one, and tokens from before get a 401.

use doorward::jwt::{BuildError, SigningKey, TokenAuthority};
use doorward::secrecy::{ExposeSecret, SecretString};
use hkdf::Hkdf;
use sha2::Sha256;

/// Derives the key of the tokens. The label keeps it apart from other keys of the secret.
fn key(secret: &SecretString) -> Result<SigningKey, hkdf::InvalidLength> {
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(None, secret.expose_secret().as_bytes())
        .expand(b"ldap.example.com: access tokens", &mut key)?;
    Ok(SigningKey::secret(key))
}

fn authority(key: SigningKey) -> Result<TokenAuthority, BuildError> {
    TokenAuthority::builder("https://ldap.example.com", key)
        .audience("https://ldap.example.com")
        .build()
}

#[test]
fn a_short_secret_signs() {
    let key = key(&"short".to_owned().into()).unwrap();
    let authority = authority(key).unwrap();
    authority.token("johndoe").sign().unwrap();
}
