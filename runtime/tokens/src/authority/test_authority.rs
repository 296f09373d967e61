//! An issuer for tests, without a network.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use doorward_core::__tokens::joined;
use doorward_core::{__debug_only as debug_only, BearerToken};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::authority::signer::Signer;
use crate::authority::signing_key::SigningKey;
use crate::build_error::BuildError;
use crate::claims::rules::now;
use crate::claims::set;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::rules::ACCESS_TOKEN;
use crate::jwt::verifier::TokenVerifier;

/// An issuer of tokens for tests. It makes a new key, signs tokens with it, and gives a
/// verifier that trusts them.
///
/// ```
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))]
/// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
/// use doorward::testing::TestAuthority;
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
    signer: Arc<Signer>,
    jwks: String,
}

/// The issuer that tokens name, unless another is set.
const ISSUER: &str = "https://authority.test";

/// How many tokens were created, so that each has a `jti` of its own.
static CREATED: AtomicU64 = AtomicU64::new(0);

impl TestAuthority {
    /// Creates an issuer whose tokens are for this audience.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled, or there are no random numbers.
    pub fn new(audience: impl Into<String>) -> Result<Self, BuildError> {
        let signer = SigningKey::random(Algorithm::EdDsa)?.signer()?;
        Ok(Self {
            issuer: ISSUER.to_owned(),
            audience: audience.into(),
            jwks: json!({ "keys": [signer.public()] }).to_string(),
            signer: Arc::new(signer),
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

    /// Creates a token about a user, which is valid for an hour and grants no scopes. Its `jti` is
    /// one that no other token of the process has.
    pub fn token(&self, subject: impl Into<String>) -> TestToken<'_> {
        let token = TestToken::of(&self.signer, ACCESS_TOKEN);
        let token = token.claim("iss", &*self.issuer).claim("aud", &*self.audience);
        token.claim("sub", subject.into()).claim("iat", now()).claim("exp", now() + 3600.0)
    }
}

debug_only!([] TestAuthority { audience });

/// A token of a [`TestAuthority`], before it is signed.
#[derive(Clone)]
#[must_use = "`sign` creates the token"]
pub struct TestToken<'a> {
    signer: &'a Signer,
    header: Map<String, Value>,
    claims: Map<String, Value>,
}

impl<'a> TestToken<'a> {
    pub(crate) fn of(signer: &'a Signer, token_type: &str) -> Self {
        let token = Self { signer, header: signer.header(token_type), claims: Map::new() };
        token.claim("jti", CREATED.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Sets the scopes that the token grants.
    pub fn scopes<S: AsRef<str>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.claim("scope", joined(scopes))
    }

    /// Sets a claim. `null` removes it.
    pub fn claim(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        set(&mut self.claims, name.into(), value.into());
        self
    }

    /// Sets a parameter of the header. `null` removes it.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        set(&mut self.header, name.into(), value.into());
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
        self.signer.sign(self.header, self.claims)
    }

    /// Signs the token, and returns the value of `Sec-WebSocket-Protocol` with which a page opens a
    /// WebSocket: `bearer, TOKEN`.
    ///
    /// # Errors
    ///
    /// Same as [`sign`](Self::sign).
    pub fn sign_for_websocket(self) -> Result<String, BuildError> {
        Ok(format!("bearer, {}", self.sign()?.as_str()))
    }
}

debug_only!([] TestToken<'_> { claims });
