//! Tokens of several issuers.

mod newcomers;
mod tenants;

use core::fmt;
use std::sync::Arc;

use doorward_core::verify::{Presented, Verified, VerifyError};
use doorward_core::{BearerToken, SecurityScopes};
use serde::de::DeserializeOwned;

use self::tenants::Tenants;
use crate::claims::rules::{MAX_BYTES, now};
use crate::fetch::FetchError;
use crate::jwt::asked::Asked;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::explanation;
use crate::jwt::finding::Finding;
use crate::jwt::jose::issuer_of;
use crate::jwt::verifier::TokenVerifier;
use crate::memory::Remembered;

/// Verifies the tokens of several issuers, each with its own verifier. The claim `iss` only selects
/// the verifier, and it is trusted only after that verifier has checked the signature.
///
/// ```
/// use doorward::jwt::{Issuers, TokenVerifier};
///
/// # async fn start(staff: TokenVerifier<()>, customers: TokenVerifier<()>) {
/// let tokens = Issuers::new([staff, customers]);
/// # }
/// ```
pub struct Issuers<C>(Source<C>);

/// The length of an issuer that is looked up, in bytes.
const MAX_ISSUER_BYTES: usize = 255;

/// Where the verifiers are.
enum Source<C> {
    Listed(Vec<TokenVerifier<C>>),
    Named(Arc<Tenants<C>>),
}

impl<C: DeserializeOwned + Send + Sync + 'static> Issuers<C> {
    /// Creates a verifier of these issuers' tokens. Of several verifiers for one issuer, the first
    /// decides that takes the type, the algorithm, the signature and the audience of the token, so an
    /// issuer may have a shared secret and key pairs, or write an audience only sometimes. A
    /// token without an issuer goes to the verifiers that take such tokens.
    #[must_use]
    pub fn new(verifiers: impl IntoIterator<Item = TokenVerifier<C>>) -> Self {
        Self(Source::Listed(verifiers.into_iter().collect()))
    }

    /// Creates a verifier for issuers that come and go, such as those of tenants. `named` gets the
    /// issuer of a token, of which nothing is checked yet, and returns how its tokens are verified,
    /// or `None` for an issuer that is not trusted, which then gets no request.
    ///
    /// ```
    /// use doorward::jwt::{Issuers, TokenVerifier};
    /// # use serde_json::Value as Claims;
    /// # struct Tenant { audience: String }
    /// # async fn tenant_of(_: &str) -> Result<Option<Tenant>, std::io::Error> { Ok(None) }
    /// # async fn get(_: String) -> Result<doorward::verify::Fetched, doorward::verify::FetchError> { Err(doorward::verify::FetchError::new("no answer")) }
    ///
    /// let tokens: Issuers<Claims> = Issuers::resolve(|issuer| async move {
    ///     let tenant = tenant_of(&issuer).await?;
    ///     Ok(tenant.map(|tenant| TokenVerifier::discover(issuer, get).audience(tenant.audience)))
    /// });
    /// ```
    ///
    /// A verifier is kept for 15 minutes, and then `named` is called again. Of 1024 issuers, those
    /// that were used last are kept. Of several requests with tokens of a new issuer, one looks it
    /// up, and the others wait. If that fails, the answer is `503` during the verifier's
    /// [`cool_down`](TokenVerifierBuilder::cool_down), unless there is an older verifier. An `iss`
    /// of more than 255 bytes is refused before anything else.
    #[must_use]
    pub fn resolve<F, R>(named: F) -> Self
    where
        F: Fn(String) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Option<TokenVerifierBuilder<C>>, FetchError>> + Send + 'static,
    {
        Self(Source::Named(Arc::new(Tenants::new(named))))
    }

    /// Sets how many fetches in a minute are for issuers that never had a verifier, with
    /// [`resolve`](Self::resolve): for the metadata, which may take two, and for the keys. The
    /// default is 30 for all of them together.
    ///
    /// If `named` accepts issuers by a rule, a caller can write tokens that name any number of
    /// them. Above the limit, the answer is `503` with `Retry-After`, and the issuer is neither
    /// asked nor remembered. Issuers that have a verifier are not limited.
    #[must_use]
    pub fn max_fetches_of_new_issuers(mut self, per_minute: usize) -> Self {
        if let Source::Named(tenants) = &mut self.0
            && let Some(tenants) = Arc::get_mut(tenants)
        {
            tenants.limit_newcomers(per_minute);
        }
        self
    }

    /// Sets how many bytes of verified tokens are remembered, with [`resolve`](Self::resolve): for
    /// all issuers together, so the setting of each builder is not used. The tokens of one
    /// issuer take a quarter of it at most. The default is that of
    /// [one issuer](TokenVerifierBuilder::remember).
    #[must_use]
    pub fn remember(mut self, bytes: usize) -> Self {
        if let Source::Named(tenants) = &mut self.0
            && let Some(tenants) = Arc::get_mut(tenants)
        {
            tenants.remember(bytes);
        }
        self
    }

    /// Returns how often tokens were looked up among the remembered ones and found, as
    /// [`TokenVerifier::remembered`] does, for all issuers together.
    #[must_use]
    pub fn remembered(&self) -> Remembered {
        match &self.0 {
            Source::Listed(verifiers) => {
                let all = verifiers.iter().map(TokenVerifier::remembered);
                all.fold(Remembered::default(), Remembered::and)
            }
            Source::Named(tenants) => tenants.remembered(),
        }
    }

    /// Returns `true` if each of the listed verifiers [has keys](TokenVerifier::has_keys). Issuers that
    /// come and go are looked up when a token names them.
    pub async fn has_keys(&self) -> bool {
        if let Source::Listed(verifiers) = &self.0 {
            for verifier in verifiers {
                if !verifier.has_keys().await {
                    return false;
                }
            }
        }
        true
    }

    /// Verifies a token, and checks that it grants the scopes.
    ///
    /// # Errors
    ///
    /// Same as [`TokenVerifier::verify`].
    pub async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<C>, VerifyError> {
        self.verify_as(token.into().token(), scopes, false).await
    }

    /// Verifies a token, which may be bound if a wrapper asks.
    pub(crate) async fn verify_as(
        &self,
        token: &BearerToken,
        scopes: SecurityScopes,
        takes_bound: bool,
    ) -> Result<Verified<C>, VerifyError> {
        let text = token.as_str();
        // Not even the issuer is read from a token that every verifier would refuse unread.
        let max_bytes = self.max_bytes();
        if text.len() > max_bytes {
            return Err(explanation::refuse(scopes, || Finding::too_long(text.len(), max_bytes)));
        }
        let issuer = issuer_of(text);
        match &self.0 {
            Source::Listed(verifiers) => {
                let asked = Asked { token, scopes, now: now(), takes_bound };
                self.listed(verifiers, issuer.as_deref(), &asked).await
            }
            Source::Named(tenants) => match issuer {
                Some(issuer) if issuer.len() <= MAX_ISSUER_BYTES => {
                    match tenants.verifier(&issuer).await {
                        Ok(verifier) => verifier.verify_as(token, scopes, takes_bound).await,
                        Err(reason) => Err(reason.refuse(scopes)),
                    }
                }
                _ => Err(explanation::refuse(scopes, || explanation::without_issuer(text, &[]))),
            },
        }
    }

    /// Verifies a token with the listed verifiers of its issuer. Only the last refusal is recorded,
    /// because one of them may accept what another does not.
    async fn listed(
        &self,
        verifiers: &[TokenVerifier<C>],
        issuer: Option<&str>,
        asked: &Asked<'_>,
    ) -> Result<Verified<C>, VerifyError> {
        let is_of_issuer = |verifier: &&TokenVerifier<C>| match issuer {
            Some(issuer) => verifier.rules.issuer == issuer,
            None => verifier.rules.without_issuer,
        };
        let mut refused = None;
        for verifier in verifiers.iter().filter(is_of_issuer) {
            match verifier.accept(asked).await {
                Err(reason) if reason.may_be_of_another() => refused = Some((verifier, reason)),
                accepted => return verifier.answer(asked, accepted),
            }
        }
        if let Some((verifier, reason)) = refused {
            return verifier.answer(asked, Err(reason));
        }
        Err(explanation::refuse(asked.scopes, || {
            let known = verifiers.iter().map(|verifier| &*verifier.rules.issuer);
            explanation::without_issuer(asked.token.as_str(), &Vec::from_iter(known))
        }))
    }

    /// Returns the length of the longest token that a verifier may accept.
    fn max_bytes(&self) -> usize {
        match &self.0 {
            Source::Listed(verifiers) => {
                let limits = verifiers.iter().map(|verifier| verifier.rules.common.max_bytes);
                limits.max().unwrap_or(0)
            }
            Source::Named(_) => MAX_BYTES,
        }
    }
}

impl<C> fmt::Debug for Issuers<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("Issuers");
        match &self.0 {
            Source::Listed(verifiers) => tuple.field(verifiers),
            Source::Named(tenants) => tuple.field(tenants),
        };
        tuple.finish()
    }
}

verify_token!([C: DeserializeOwned + Send + Sync + 'static] Issuers<C>);
