//! The verifier of an issuer's tokens.

use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::credential::presented::Presented;
use crate::jwt::claims::{self, Registered};
use crate::jwt::jose::Jose;
use crate::jwt::keys::KeySet;
use crate::jwt::reason::Reason;
use crate::jwt::refusal::Refusal;
use crate::jwt::remembered::{Entry, Remembered};
use crate::jwt::remote::RemoteKeys;
use crate::jwt::rules::{Rules, now};
use crate::plan::security_scopes::SecurityScopes;
use crate::verify::{Verified, Verify, VerifyError};

/// Verifies the tokens of an issuer: signature, type, issuer, audience and times
/// ([RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)). `C` are the claims that the
/// service needs, any type that implements `Deserialize`.
///
/// See the [module](super) for an example. It is built by [`discover`](Self::discover),
/// [`jwks_url`](Self::jwks_url), [`jwks`](Self::jwks), [`pem`](Self::pem) or
/// [`secret`](Self::secret), and can be shared by all requests.
pub struct TokenVerifier<C> {
    pub(super) rules: Rules,
    pub(super) keys: Keys,
    pub(super) remembered: Option<Remembered<C>>,
    pub(super) refusals: Vec<Refusal<C>>,
}

/// Where the keys are.
#[derive(Debug)]
pub(super) enum Keys {
    /// Here.
    Known(Arc<KeySet>),
    /// At a URL.
    Remote(RemoteKeys),
}

impl<C: DeserializeOwned + Send + Sync> TokenVerifier<C> {
    /// Verifies a token, and checks that it grants the scopes.
    ///
    /// # Errors
    ///
    /// Returns the response that refuses the token: `401` with `invalid_token`, which does not say
    /// why, or `403` with `insufficient_scope`. Returns `503` if no keys are known, or they are too
    /// old, and the issuer cannot be reached, or if a function of
    /// [`refuse_if`](super::TokenVerifierBuilder::refuse_if) cannot decide.
    pub async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<C>, VerifyError> {
        let token = token.into();
        let verified = self.verified(token.token().as_str(), scopes.resource(), now()).await;
        let verified = verified.map_err(|reason| reason.refuse(scopes))?;
        for refusal in &self.refusals {
            match refusal.refuses(&verified).await {
                Some(false) => {}
                Some(true) => return Err(Reason::Refused.refuse(scopes)),
                None => return Err(Reason::Undecided.refuse(scopes)),
            }
        }
        verified.require(scopes)
    }

    /// Forgets the remembered tokens whose claims match. The next request with one of them verifies
    /// it anew.
    ///
    /// This alone refuses none of them, since their signature stays right:
    /// [`refuse_if`](super::TokenVerifierBuilder::refuse_if) does.
    pub fn forget(&self, is_forgotten: impl Fn(&C) -> bool) {
        if let Some(remembered) = &self.remembered {
            remembered.forget(|verified| is_forgotten(verified.claims()));
        }
    }

    /// Verifies a token at a time, in seconds since 1970.
    pub(super) async fn verified(
        &self,
        token: &str,
        resource: Option<&str>,
        now: f64,
    ) -> Result<Verified<C>, Reason> {
        if token.len() > self.rules.max_bytes {
            return Err(Reason::TooLong);
        }
        if let Some(remembered) = &self.remembered
            && let Some(keys) = self.keys.fresh()
            && let Some(kept) = remembered.get(token, &keys, now)
        {
            let entry = &kept.entry;
            // The scheme decides about the audience, and another one may ask this time.
            self.rules.check_audience(&entry.audiences, entry.client_id.as_deref(), resource)?;
            return Ok(entry.verified.clone());
        }
        let jose = Jose::read(token)?;
        if !self.rules.algorithms.contains(&jose.algorithm) {
            return Err(Reason::Algorithm);
        }
        if !self.rules.may_have_type(jose.token_type.as_deref()) {
            return Err(Reason::Type);
        }
        let keys = self.keys.that_verify(&jose).await?;
        self.accepted(token, &jose, keys, resource, now)
    }

    /// Checks the claims of a token whose signature is right.
    fn accepted(
        &self,
        token: &str,
        jose: &Jose<'_>,
        keys: Arc<KeySet>,
        resource: Option<&str>,
        now: f64,
    ) -> Result<Verified<C>, Reason> {
        let mut registered = Registered::read(&jose.payload, &self.rules.scopes_in)?;
        let token_type = jose.token_type.as_deref();
        let audiences = self.rules.check(token_type, &mut registered, resource, now)?;
        let Registered { scopes, client_id, exp, .. } = registered;
        let claims: C = claims::read(&jose.payload)?;
        let verified = Verified::new(claims, scopes);
        if let (Some(remembered), Some(exp)) = (&self.remembered, exp) {
            let entry = Entry { verified: verified.clone(), audiences, client_id, keys, exp };
            remembered.insert(token, &jose.payload, entry);
        }
        Ok(verified)
    }
}

impl Keys {
    /// Returns the keys, as long as they need not be fetched.
    fn fresh(&self) -> Option<Arc<KeySet>> {
        match self {
            Self::Known(keys) => Some(Arc::clone(keys)),
            Self::Remote(keys) => keys.fresh(),
        }
    }

    /// Returns the keys, and fetches them if they are not fresh.
    ///
    /// # Errors
    ///
    /// Returns how long no fetch begins, if there are no keys.
    pub(super) async fn current(&self) -> Result<Arc<KeySet>, Duration> {
        match self {
            Self::Known(keys) => Ok(Arc::clone(keys)),
            Self::Remote(remote) => remote.current().await,
        }
    }

    /// Returns the keys, one of which verifies the signature of a token. If the key of the token is
    /// not known, the issuer may have a new one.
    async fn that_verify(&self, token: &Jose<'_>) -> Result<Arc<KeySet>, Reason> {
        let keys = self.current().await.map_err(Reason::Unavailable)?;
        match (keys.verify(token), self) {
            (Err(Reason::UnknownKey), Self::Remote(remote)) => {
                let newer = remote.newer_than(&keys).await.ok_or(Reason::UnknownKey)?;
                newer.verify(token).map(|()| newer)
            }
            (verified, _) => verified.map(|()| keys),
        }
    }
}

impl<C: DeserializeOwned + Send + Sync> Verify for TokenVerifier<C> {
    type Claims = C;

    const READS_REQUEST: bool = false;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<C>, VerifyError> {
        self.verify(token, scopes).await
    }
}

impl<C> fmt::Debug for TokenVerifier<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenVerifier")
            .field("rules", &self.rules)
            .field("keys", &self.keys)
            .field("remembered", &self.remembered)
            .finish_non_exhaustive()
    }
}
