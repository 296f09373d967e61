//! The verifier of an issuer's tokens.

use std::sync::Arc;

use doorward_core::verify::{Presented, Verified, VerifyError};
use doorward_core::{__debug_only as debug_only, BearerToken, SecurityScopes};
use serde::de::DeserializeOwned;

use crate::claims::rules::now;
use crate::claims::{self, Registered};
use crate::clock;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::asked::Asked;
use crate::jwt::explanation;
use crate::jwt::jose::Jose;
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::KeySet;
use crate::jwt::rules::Rules;
use crate::memory::{Known, Memory, Remembered};
use crate::reason::Reason;
use crate::refuse_if::Refusal;
use crate::trace;

/// Verifies the tokens of an issuer: signature, type, issuer, audience and times
/// ([RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)). `C` are the claims that the
/// service needs, any type that implements `Deserialize`.
///
/// See the [module](super) for an example. It is built by [`discover`](Self::discover),
/// [`jwks_url`](Self::jwks_url), [`jwks`](Self::jwks), [`pem`](Self::pem) or
/// [`secret`](Self::secret), and can be shared by all requests.
pub struct TokenVerifier<C> {
    pub(crate) rules: Rules,
    pub(crate) keys: KeySources,
    pub(crate) memory: Option<Memory<C, Arc<KeySet>>>,
    pub(crate) refusals: Vec<Refusal<C>>,
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
        let asked = Asked { token: token.token(), scopes, now: now() };
        let accepted = self.accept(&asked).await;
        self.answer(&asked, accepted)
    }

    /// Makes all checks except that of the scopes.
    pub(crate) async fn accept(&self, asked: &Asked<'_>) -> Result<Verified<C>, Reason> {
        let resource = asked.scopes.resource();
        let verified = self.verified(asked.token, resource, asked.now).await?;
        for refusal in &self.refusals {
            match refusal.refuses(&verified).await {
                Some(false) => {}
                Some(true) => return Err(Reason::Refused),
                None => return Err(Reason::Undecided),
            }
        }
        Ok(verified)
    }

    /// Returns the answer for a token that was accepted or refused, and records why it is refused.
    pub(crate) fn answer(
        &self,
        asked: &Asked<'_>,
        accepted: Result<Verified<C>, Reason>,
    ) -> Result<Verified<C>, VerifyError> {
        let scopes = asked.scopes;
        let verified = match accepted {
            Ok(verified) => verified,
            Err(reason) => {
                if reason == Reason::Milliseconds {
                    explanation::warn_of_milliseconds(&self.rules.issuer, asked.now);
                }
                if trace::is_heard() {
                    explanation::record::<C>(&self.rules, &self.keys, reason, asked);
                }
                return Err(reason.answer(scopes));
            }
        };
        scopes.check(verified.scopes()).map_err(|missing| {
            if trace::is_heard() {
                explanation::record_missing_scopes(
                    &self.rules,
                    asked.token.as_str(),
                    scopes.scope_str(),
                );
            }
            VerifyError::insufficient_scope(missing)
        })?;
        Ok(verified)
    }

    /// Forgets the remembered tokens whose claims match. The next request with one of them verifies
    /// it anew.
    ///
    /// This does not refuse the tokens, because their signature stays right:
    /// [`refuse_if`](super::TokenVerifierBuilder::refuse_if) does.
    pub fn forget(&self, is_forgotten: impl Fn(&C) -> bool) {
        if let Some(memory) = &self.memory {
            memory.forget(|verified| is_forgotten(verified.claims()));
        }
    }

    /// Returns how often tokens were looked up among the remembered ones and found, since the
    /// verifier was built. It looks through all of them, so call it for metrics, and not for each
    /// request.
    #[must_use]
    pub fn remembered(&self) -> Remembered {
        self.memory.as_ref().map_or_else(Remembered::default, Memory::remembered)
    }

    /// Verifies a token at a time, in seconds since 1970.
    pub(crate) async fn verified(
        &self,
        token: &BearerToken,
        resource: Option<&str>,
        now: f64,
    ) -> Result<Verified<C>, Reason> {
        let bytes = token.as_bytes();
        if bytes.len() > self.rules.common.max_bytes {
            return Err(Reason::TooLong);
        }
        if let Some(memory) = &self.memory
            && let Some(kept) = memory.get(bytes, |keys| self.keys.are_current(keys), now)
        {
            let known = &kept.token;
            // The scheme decides about the audience, and another one may ask this time.
            self.rules.common.check_audience(
                &known.audiences,
                known.client.as_deref(),
                resource,
            )?;
            return Ok(known.verified.clone());
        }
        let token = token.as_str();
        let jose = Jose::read(token)?;
        if !self.rules.algorithms.contains(&jose.algorithm) {
            return Err(Reason::Algorithm);
        }
        if !self.rules.may_have_type(jose.token_type.as_deref()) {
            return Err(Reason::Type);
        }
        let (keys, until) = self.keys.that_verify(&jose).await?;
        if until.is_some_and(|until| now >= until) {
            return Err(Reason::ShortSecret);
        }
        self.accepted(token, &jose, (keys, until), resource, now)
    }

    /// Checks the claims of a token whose signature is right, and may count only until a time.
    fn accepted(
        &self,
        token: &str,
        jose: &Jose<'_>,
        (keys, until): (Arc<KeySet>, Option<f64>),
        resource: Option<&str>,
        now: f64,
    ) -> Result<Verified<C>, Reason> {
        let mut registered = Registered::read(&jose.payload, &self.rules.common.scopes_in)?;
        let token_type = jose.token_type.as_deref();
        let audiences = self.rules.check(token_type, &mut registered, resource, now)?;
        let client = registered.client().map(str::to_owned);
        let Registered { scopes, exp, .. } = registered;
        let claims: C = claims::read(&jose.payload)?;
        let exp = exp.map(|exp| until.map_or(exp, |until| exp.min(until)));
        let expires_at = exp.and_then(clock::date);
        let verified = Verified::new(claims, scopes).expiring_at(expires_at);
        if let (Some(memory), Some(exp)) = (&self.memory, exp) {
            let known = Known { verified: verified.clone(), audiences, client, basis: keys, exp };
            memory.insert(token, jose.algorithm == Algorithm::EdDsa, &jose.payload, known);
        }
        Ok(verified)
    }
}

verify_token!([C: DeserializeOwned + Send + Sync] TokenVerifier<C>);

debug_only!([C] TokenVerifier<C> { rules, keys, memory });
