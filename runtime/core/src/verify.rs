//! Verified tokens: their verifiers, their claims, and their refusals.
//!
//! `jwt::TokenVerifier` verifies JSON Web Tokens, and `Introspection`
//! asks their issuer about opaque ones. Implement [`Verify`] for tokens of your own, or for another
//! library.

pub(crate) mod error;

use core::fmt;
use core::ops::Deref;
use std::sync::Arc;
use std::time::SystemTime;

pub use self::error::VerifyError;
pub use crate::credential::client_certificate::ClientCertificate;
pub use crate::credential::presented::Presented;
pub use crate::plan::granted::GrantedScopes;
pub use crate::plan::security_scopes::MissingScopes;
use crate::plan::security_scopes::SecurityScopes;
pub use crate::syntax::secret::SecretBytes;

/// Verifies tokens, and checks the scopes that the chain requires.
///
/// `TokenVerifier` implements it for JSON Web Tokens,
/// `Issuers` for those of several issuers, and `Introspection` for opaque
/// ones. Implement it for tokens that your service has stored, or for another library. The
/// dependencies stay the same if they name the verifier once: `type Tokens = Stored`.
///
/// ```
/// use std::time::Duration;
/// use doorward::SecurityScopes;
/// use doorward::verify::{Presented, Verified, Verify, VerifyError};
///
/// struct Stored;
///
/// impl Verify for Stored {
///     type Claims = String;
///
///     async fn verify(
///         &self,
///         token: impl Into<Presented> + Send,
///         scopes: SecurityScopes,
///     ) -> Result<Verified<String>, VerifyError> {
///         let token = token.into();
///         let answer: Result<Option<&str>, ()> = Ok(Some("items me")); // ask the database here
///         let granted = answer.map_err(|()| VerifyError::unavailable(Duration::from_secs(30)))?;
///         let granted = granted.ok_or_else(|| VerifyError::invalid_token(scopes))?;
///         let granted = granted.split(' ').map(str::to_owned);
///         Verified::new("johndoe".to_owned(), granted).require(scopes)
///     }
/// }
/// ```
pub trait Verify: Send + Sync {
    /// The claims of a verified token.
    type Claims;

    /// Whether a scheme that verifies with this type passes on the request with the token, and so
    /// copies the head. `false` for a verifier that reads only the token.
    const READS_REQUEST: bool = true;

    /// Whether [`verify`](Self::verify) checks the scopes last, and nothing else by them: a token
    /// that it has accepted is right for any other scopes that it grants. A tool of an MCP server
    /// then takes the token that the layer has verified.
    const CHECKS_SCOPES_LAST: bool = false;

    /// Whether it checks the proof of a token that comes as `Authorization: DPoP …`. A scheme with
    /// `dpop` verifies with such a verifier, and only such a scheme does.
    const TAKES_DPOP: bool = false;

    /// Verifies a token, and checks that it grants the scopes. Pass a `&BearerToken`, or a
    /// [`Presented`] if the verifier needs the request.
    ///
    /// # Errors
    ///
    /// Returns the response that refuses the token.
    fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> impl Future<Output = Result<Verified<Self::Claims>, VerifyError>> + Send;
}

/// The claims of a verified token, and the scopes that it grants. Cloning is cheap.
pub struct Verified<C> {
    token: Arc<Token<C>>,
    expires_at: Option<SystemTime>,
}

struct Token<C> {
    claims: C,
    scopes: Vec<String>,
    bound_to: Option<BoundTo>,
}

/// What a token is bound to, as its issuer has written it in `cnf`
/// ([RFC 7800, 3.1](https://www.rfc-editor.org/rfc/rfc7800#section-3.1)). If it has neither, the
/// token is bound to something else.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "only `doorward-tokens` names it")]
pub struct BoundTo {
    /// A certificate, by `x5t#S256`.
    pub certificate: Option<String>,
    /// A key, by `jkt`.
    pub key: Option<String>,
}

impl<C> Verified<C> {
    /// Creates the result of a verifier.
    #[must_use]
    pub fn new(claims: C, scopes: impl IntoIterator<Item = String>) -> Self {
        Self::bound(claims, scopes, None)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn bound(
        claims: C,
        scopes: impl IntoIterator<Item = String>,
        bound_to: Option<BoundTo>,
    ) -> Self {
        let token = Arc::new(Token { claims, scopes: scopes.into_iter().collect(), bound_to });
        Self { token, expires_at: None }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn bound_to(&self) -> Option<&BoundTo> {
        self.token.bound_to.as_ref()
    }

    /// Sets when the token expires, for a verifier of your own: a `Live` asks it again then.
    #[must_use]
    pub fn expiring_at(mut self, expires_at: impl Into<Option<SystemTime>>) -> Self {
        self.expires_at = expires_at.into();
        self
    }

    /// Returns when the token expires, without the leeway of its verifier: its `exp`, or that of
    /// the issuer's answer. `None` if neither says so.
    #[must_use]
    pub const fn expires_at(&self) -> Option<SystemTime> {
        self.expires_at
    }

    /// Checks that the token grants these scopes.
    ///
    /// # Errors
    ///
    /// Returns an error that names the scopes of the operation.
    pub fn require(self, required: SecurityScopes) -> Result<Self, VerifyError> {
        required.check(&self.token.scopes)?;
        Ok(self)
    }

    /// Returns the claims.
    #[must_use]
    pub fn claims(&self) -> &C {
        &self.token.claims
    }

    /// Returns the claims by value, for a dependency that yields them.
    #[must_use]
    pub fn into_claims(self) -> C
    where
        C: Clone,
    {
        match Arc::try_unwrap(self.token) {
            Ok(token) => token.claims,
            Err(shared) => shared.claims.clone(),
        }
    }

    /// Returns the scopes that the token grants.
    #[must_use]
    pub fn scopes(&self) -> &[String] {
        &self.token.scopes
    }
}

impl<C> Deref for Verified<C> {
    type Target = C;

    fn deref(&self) -> &C {
        self.claims()
    }
}

impl<C> Clone for Verified<C> {
    fn clone(&self) -> Self {
        Self { token: Arc::clone(&self.token), expires_at: self.expires_at }
    }
}

/// The scopes of the token, for [`SecurityScopes::check`].
impl<C> GrantedScopes for Verified<C> {
    fn grants(&self, scope: &str) -> bool {
        self.token.scopes.grants(scope)
    }
}

/// Shows the claims by their own `Display`.
impl<C: fmt::Display> fmt::Display for Verified<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claims().fmt(f)
    }
}

impl<C: fmt::Debug> fmt::Debug for Verified<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified")
            .field("claims", self.claims())
            .field("scopes", &self.scopes())
            .finish()
    }
}
