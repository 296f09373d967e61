//! The verifier of an issuer's tokens.

use core::marker::PhantomData;
use std::sync::Arc;

use doorward_core::verify::{Presented, Verified, VerifyError};
use doorward_core::{__debug_only as debug_only, BearerToken, SecurityScopes};
use serde::de::DeserializeOwned;

use crate::claims::rules::now;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::asked::Asked;
use crate::jwt::explanation;
use crate::jwt::finding::Findings;
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::KeySet;
use crate::jwt::rules::Rules;
use crate::memory::{Memory, Remembered};
use crate::reason::Reason;
use crate::refuse_if::Refusal;
use crate::trace;

/// Verifies the tokens of an issuer: signature, type, issuer, audience and times
/// ([RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)). `C` are the claims that the
/// service needs, any type that implements `Deserialize`. `P` is what
/// [`for_purpose`](Self::for_purpose) names.
///
/// See the [module](super) for an example. It is built by [`discover`](Self::discover),
/// [`jwks_url`](Self::jwks_url), [`jwks`](Self::jwks), [`pem`](Self::pem),
/// [`secret`](Self::secret) or [`weak_secret`](Self::weak_secret), and can be shared by all requests.
pub struct TokenVerifier<C, P = ()> {
    pub(crate) rules: Rules,
    pub(crate) keys: KeySources,
    pub(crate) memory: Option<Memory<C, Arc<KeySet>>>,
    pub(crate) refusals: Vec<Refusal<C>>,
    pub(crate) purpose: PhantomData<fn() -> P>,
}

impl<C: DeserializeOwned + Send + Sync, P> TokenVerifier<C, P> {
    /// Verifies a token, and checks that it grants the scopes. One that does not come in
    /// `Authorization`, but in a body, is `&BearerToken::try_from(text)?`, and its scopes are
    /// `SecurityScopes::NONE`.
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
        // Written out, because the future of `verify_as` would be moved into this one.
        let token = token.into();
        let asked = Asked { token: token.token(), scopes, now: now(), takes_bound: false };
        let accepted = self.accept(&asked).await;
        self.answer(&asked, accepted)
    }

    /// Verifies a token, which may be bound if a wrapper asks.
    pub(crate) async fn verify_as(
        &self,
        token: &BearerToken,
        scopes: SecurityScopes,
        takes_bound: bool,
    ) -> Result<Verified<C>, VerifyError> {
        let asked = Asked { token, scopes, now: now(), takes_bound };
        let accepted = self.accept(&asked).await;
        self.answer(&asked, accepted)
    }

    /// Makes all checks except that of the scopes.
    pub(crate) async fn accept(&self, asked: &Asked<'_>) -> Result<Verified<C>, Reason> {
        let verified = self.verified(asked).await?;
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
        if asked.takes_bound {
            return Ok(verified);
        }
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

    /// Returns `true` if a token can be verified now: there are keys, and they are not too old. Keys
    /// at a URL are fetched unless they are fresh, as a token would do, so call it from `/ready`, and
    /// once when the service starts: it does not fail if the issuer is down.
    pub async fn has_keys(&self) -> bool {
        self.keys.are_here().await
    }

    /// Gives the verifier a type of its own, for a service that has several of the same claims:
    /// `TokenVerifier<Claims, Login>`, where `Login` is any type.
    ///
    /// ```
    /// use doorward::Shared;
    /// use doorward::jwt::{BuildError, TokenAuthority, TokenVerifier};
    /// # use serde_json::Value as Claims;
    ///
    /// enum Invitation {}
    ///
    /// type Tokens = TokenVerifier<Claims>;
    /// type Invitations = TokenVerifier<Claims, Invitation>;
    ///
    /// async fn shared(
    ///     [logins, invitations]: [TokenAuthority; 2],
    /// ) -> Result<(Shared<Tokens>, Shared<Invitations>), BuildError> {
    ///     let tokens: Tokens = logins.verifier().build().await?;
    ///     let invitations: Invitations = invitations.verifier().build().await?.for_purpose();
    ///     Ok((Shared::new(tokens), Shared::new(invitations)))
    /// }
    /// ```
    #[must_use]
    pub fn for_purpose<Q>(self) -> TokenVerifier<C, Q> {
        let Self { rules, keys, memory, refusals, .. } = self;
        TokenVerifier { rules, keys, memory, refusals, purpose: PhantomData }
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

    /// Makes the checks on a token, unless it is remembered.
    pub(crate) async fn verified(&self, asked: &Asked<'_>) -> Result<Verified<C>, Reason> {
        let bytes = asked.token.as_bytes();
        let first = &mut Findings(None);
        self.rules.check_length(bytes, first)?;
        if let Some(memory) = &self.memory
            && let Some(kept) = memory.get(bytes, |keys| self.keys.are_current(keys), asked.now)
        {
            let known = &kept.token;
            // The scheme decides about the audience, and another one may ask this time.
            self.rules.common.check_audience(
                &known.audiences,
                known.client.as_deref(),
                asked.scopes.resource(),
            )?;
            asked.check_bound(known.verified.bound_to())?;
            return Ok(known.verified.clone());
        }
        let token = asked.token.as_str();
        let jose = self.rules.read(token, &self.keys, first)?;
        let keys = self.keys.that_verify(&jose).await?;
        let known = self.rules.check::<C, _>(&jose, keys, asked, first)?;
        let verified = known.verified.clone();
        if let Some(memory) = &self.memory {
            memory.insert(token, jose.algorithm == Algorithm::EdDsa, &jose.payload, known);
        }
        Ok(verified)
    }
}

verify_token!([C: DeserializeOwned + Send + Sync, P] TokenVerifier<C, P>);

debug_only!([C, P] TokenVerifier<C, P> { rules, keys, memory });
