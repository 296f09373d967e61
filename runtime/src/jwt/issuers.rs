//! Tokens of several issuers.

use serde::de::DeserializeOwned;

use crate::credential::presented::Presented;
use crate::jwt::jose::issuer_of;
use crate::jwt::reason::Reason;
use crate::jwt::verifier::TokenVerifier;
use crate::plan::security_scopes::SecurityScopes;
use crate::verify::{Verified, Verify, VerifyError};

/// Verifies the tokens of several issuers, each with its own verifier. The claim `iss` only selects
/// the verifier: it is trusted once that has checked the signature.
///
/// ```
/// use tollgate::jwt::{Issuers, TokenVerifier};
///
/// # async fn start(staff: TokenVerifier<()>, customers: TokenVerifier<()>) {
/// let tokens = Issuers::new([staff, customers]);
/// # }
/// ```
#[derive(Debug)]
pub struct Issuers<C>(Vec<TokenVerifier<C>>);

impl<C: DeserializeOwned + Send + Sync> Issuers<C> {
    /// Creates a verifier of these issuers' tokens. Of two verifiers for one issuer, the first is
    /// used.
    #[must_use]
    pub fn new(verifiers: impl IntoIterator<Item = TokenVerifier<C>>) -> Self {
        Self(verifiers.into_iter().collect())
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
        let token = token.into();
        let text = token.token().as_str();
        let mut limits = self.0.iter().map(|verifier| verifier.rules.max_bytes);
        // Not even the issuer is read from a token that every verifier would refuse unread.
        let issuer = limits
            .any(|max_bytes| text.len() <= max_bytes)
            .then(|| issuer_of(text))
            .flatten();
        let named = |verifier: &&TokenVerifier<C>| Some(&verifier.rules.issuer) == issuer.as_ref();
        match self.0.iter().find(named) {
            Some(verifier) => verifier.verify(token, scopes).await,
            None => Err(Reason::Issuer.refuse(scopes)),
        }
    }
}

impl<C: DeserializeOwned + Send + Sync> Verify for Issuers<C> {
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
