//! A key of a client for tests, which makes proofs.

use std::sync::Arc;

use doorward_core::{__debug_only as debug_only, BearerToken};
use serde_json::{Value, json};

use crate::authority::signer::{Signer, digest, thumbprint_of};
use crate::authority::signing_key::SigningKey;
use crate::authority::test_authority::TestToken;
use crate::build_error::BuildError;
use crate::claims::rules::now;
use crate::jwt::algorithm::Algorithm;

/// A key of a client for tests, to which tokens are bound, and which makes their proofs
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
///
/// ```
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))]
/// # fn test() -> Result<(), Box<dyn std::error::Error>> {
/// use doorward::testing::{TestAuthority, TestKey};
///
/// let (authority, key) = (TestAuthority::new("https://api.example.com")?, TestKey::new()?);
/// let token = authority.token("johndoe").bound_to(&key).sign()?;
/// let good = key.proof("GET", "https://api.example.com/items", &token).sign()?;
/// let old = key.proof("GET", "https://api.example.com/items", &token).claim("iat", 0).sign()?;
/// let request = http::Request::get("/items")
///     .header("Authorization", format!("DPoP {}", token.as_str()))
///     .header("DPoP", good.as_str());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TestKey(Arc<Signer>);

impl TestKey {
    /// Makes a new key for ES256.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled, or there are no random numbers.
    pub fn new() -> Result<Self, BuildError> {
        Self::of(&SigningKey::random(Algorithm::Es256)?)
    }

    /// Creates it from a private key.
    ///
    /// # Errors
    ///
    /// Returns an error if the key cannot be read.
    pub fn of(key: &SigningKey) -> Result<Self, BuildError> {
        Ok(Self(Arc::new(key.signer()?)))
    }

    /// Returns the thumbprint of the public key, which is the `jkt` of a bound token.
    #[must_use]
    pub fn thumbprint(&self) -> String {
        self.public().as_ref().map(thumbprint_of).unwrap_or_default()
    }

    /// Creates the proof of a request with this method and this URL for a token. Its `jti` is one that
    /// no other proof of the process has. Its `claim` and its `header` can be changed, and `sign`
    /// returns its text.
    pub fn proof(&self, method: &str, url: &str, token: &BearerToken) -> TestToken<'_> {
        let proof = TestToken::of(&self.0, "dpop+jwt");
        let proof = proof.header("kid", Value::Null).header("jwk", self.public());
        let ath = digest(token.as_str().as_bytes());
        proof.claim("htm", method).claim("htu", url).claim("ath", ath).claim("iat", now().floor())
    }

    /// Returns the public key as a proof has it, without a name.
    fn public(&self) -> Option<Value> {
        let mut jwk = self.0.public().cloned();
        if let Some(Value::Object(members)) = &mut jwk {
            members.retain(|name, _| !matches!(&**name, "alg" | "kid"));
        }
        jwk
    }
}

impl TestToken<'_> {
    /// Binds the token to a key.
    pub fn bound_to(self, key: &TestKey) -> Self {
        self.claim("cnf", json!({ "jkt": key.thumbprint() }))
    }

    /// Binds the token to the certificate of a client, in DER.
    pub fn bound_to_certificate(self, der: &[u8]) -> Self {
        self.claim("cnf", json!({ "x5t#S256": digest(der) }))
    }
}

debug_only!([] TestKey {});
