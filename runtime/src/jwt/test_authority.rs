//! An issuer for tests, without a network.

use core::fmt;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::EllipticCurve;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::credential::bearer_token::BearerToken;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend::backend;
use crate::jwt::build_error::BuildError;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::rules::now;
use crate::jwt::verifier::TokenVerifier;

/// An issuer of tokens for tests. It makes a new key, signs tokens with it, and gives a
/// verifier that trusts them.
///
/// ```
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))]
/// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
/// use tollgate::jwt::TestAuthority;
///
/// let authority = TestAuthority::new("https://api.example.com")?;
/// let tokens = authority.verifier::<serde_json::Value>().build().await?;
///
/// let good = authority.token("johndoe").scopes(["me"]).sign()?;
/// let late = authority.token("johndoe").scopes(["me"]).expired().sign()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TestAuthority {
    issuer: String,
    audience: String,
    key: Arc<EncodingKey>,
    jwks: String,
}

/// The issuer that tokens name, unless another is set.
const ISSUER: &str = "https://authority.test";

/// The bytes before the 32 bytes of an Ed25519 key in PKCS #8
/// ([RFC 8410, 7](https://www.rfc-editor.org/rfc/rfc8410#section-7)).
const PKCS8: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

impl TestAuthority {
    /// Creates an issuer whose tokens are for this audience.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled.
    pub fn new(audience: impl Into<String>) -> Result<Self, BuildError> {
        let mut der = PKCS8.to_vec();
        while der.len() < 48 {
            // `RandomState` is seeded randomly, which suffices for a test key.
            der.extend(RandomState::new().build_hasher().finish().to_le_bytes());
        }
        let backend = backend()?;
        let public = backend.key_utils.ed_pub_components_from_private_key;
        let public = public(&der, &EllipticCurve::Ed25519).map_err(failed)?;
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "test", "x": encoded(&public) });
        Ok(Self {
            issuer: ISSUER.to_owned(),
            audience: audience.into(),
            key: Arc::new(EncodingKey::from_ed_der(&der)),
            jwks: json!({ "keys": [key] }).to_string(),
        })
    }

    /// Sets the issuer that tokens name, for a service that fetches its metadata and its keys.
    #[must_use]
    pub fn with_issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = issuer.into();
        self
    }

    /// Returns the issuer that tokens name.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the JWK Set with the public key.
    #[must_use]
    pub fn jwks(&self) -> &str {
        &self.jwks
    }

    /// Sets up a verifier that trusts the issuer, for its audience.
    pub fn verifier<C: DeserializeOwned + Send + Sync>(&self) -> TokenVerifierBuilder<C> {
        TokenVerifier::jwks(&*self.issuer, &*self.jwks).audience(&self.audience)
    }

    /// Creates a token about a user, which is valid for an hour and grants no scopes.
    pub fn token(&self, subject: impl Into<String>) -> TestToken<'_> {
        let claims = json!({
            "iss": self.issuer,
            "aud": self.audience,
            "sub": subject.into(),
            "iat": now(),
            "exp": now() + 3600.0,
        });
        let token = TestToken {
            authority: self,
            header: Map::new(),
            claims: Map::new(),
        };
        let token = token.header("alg", "EdDSA").header("kid", "test");
        TestToken {
            claims: claims.as_object().cloned().unwrap_or_default(),
            ..token.header("typ", "at+jwt")
        }
    }
}

impl fmt::Debug for TestAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestAuthority")
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

/// A token of a [`TestAuthority`], before it is signed.
#[derive(Clone)]
#[must_use = "`sign` creates the token"]
pub struct TestToken<'a> {
    authority: &'a TestAuthority,
    header: Map<String, Value>,
    claims: Map<String, Value>,
}

impl TestToken<'_> {
    /// Sets the scopes that the token grants.
    pub fn scopes<S: AsRef<str>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        let mut joined = String::new();
        for scope in scopes {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(scope.as_ref());
        }
        self.claim("scope", joined)
    }

    /// Sets a claim. `null` removes it.
    pub fn claim(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        match value.into() {
            Value::Null => drop(self.claims.remove(&name.into())),
            value => drop(self.claims.insert(name.into(), value)),
        }
        self
    }

    /// Sets a parameter of the header. `null` removes it.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        match value.into() {
            Value::Null => drop(self.header.remove(&name.into())),
            value => drop(self.header.insert(name.into(), value)),
        }
        self
    }

    /// Makes the token expire an hour ago.
    pub fn expired(self) -> Self {
        self.claim("exp", now() - 3600.0)
    }

    /// Makes the token one that is valid in an hour.
    pub fn not_yet_valid(self) -> Self {
        self.claim("nbf", now() + 3600.0)
    }

    /// Makes the token one for another service.
    pub fn for_another_audience(self) -> Self {
        self.claim("aud", "https://another.test")
    }

    /// Returns the header and the claims.
    #[must_use]
    pub fn parts(&self) -> (Map<String, Value>, Map<String, Value>) {
        (self.header.clone(), self.claims.clone())
    }

    /// Signs the token.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled.
    pub fn sign(self) -> Result<BearerToken, BuildError> {
        let backend = backend()?;
        let [header, claims] = [self.header, self.claims]
            .map(|part| encoded(Value::Object(part).to_string().as_bytes()));
        let message = format!("{header}.{claims}");
        let algorithm = Algorithm::EdDsa.of_backend();
        let signer = (backend.signer_factory)(&algorithm, &self.authority.key).map_err(failed)?;
        let signature = signer.try_sign(message.as_bytes()).map_err(failed)?;
        let token = format!("{message}.{}", encoded(&signature));
        BearerToken::try_from(&*token).map_err(failed)
    }
}

impl fmt::Debug for TestToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestToken")
            .field("claims", &self.claims)
            .finish_non_exhaustive()
    }
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn failed(error: impl fmt::Display) -> BuildError {
    BuildError::new(error.to_string())
}
