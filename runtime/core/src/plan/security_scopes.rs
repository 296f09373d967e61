//! The scopes that a chain of dependencies requires.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::plan::branch::Branch;
use crate::plan::granted::GrantedScopes;
use crate::refusal::bearer_error::BearerError;
use crate::syntax::debug_text::debug_only;

/// The scopes that a chain of dependencies requires, from the handler down to the function that
/// asks for them: outermost first, without duplicates.
///
/// A function marked `#[dependency]` takes it as a parameter. It is computed at compile time, so
/// reading it costs nothing.
///
/// ```
/// use doorward::{BearerError, SecurityScopes, security_scopes};
///
/// fn check(granted: &[&str], scopes: SecurityScopes) -> Result<(), BearerError> {
///     scopes.check(granted)?;
///     Ok(())
/// }
///
/// let required = security_scopes!["items", "me"];
/// assert_eq!(required.scope_str(), "items me");
/// assert!(check(&["me", "items"], required).is_ok());
/// assert_eq!(check(&["me"], required).unwrap_err().status(), http::StatusCode::FORBIDDEN);
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct SecurityScopes {
    pub(super) scopes: &'static [&'static str],
    pub(super) scope_str: &'static str,
    /// The place of the function that asks, if a scheme there has more to say about scopes.
    pub(super) branch: Option<Branch>,
}

impl SecurityScopes {
    /// No scopes, for a chain that does not require any.
    pub const NONE: Self = Self { scopes: &[], scope_str: "", branch: None };

    /// Returns the scopes, outermost first, each once.
    #[must_use]
    pub const fn scopes(self) -> &'static [&'static str] {
        self.scopes
    }

    /// Returns the scopes, separated by single spaces.
    #[must_use]
    pub const fn scope_str(self) -> &'static str {
        self.scope_str
    }

    /// Checks the scopes that a token grants against the required ones: a string with spaces, or a
    /// collection of strings. Each scope is compared as a whole.
    ///
    /// A scope that a scheme declares with `implies(…)` also grants the scopes that it implies, and
    /// the ones that they imply in turn.
    ///
    /// # Errors
    ///
    /// Returns the missing scopes, which convert into a [`BearerError`](crate::BearerError).
    #[must_use = "a request is refused only if this error is returned"]
    pub fn check(self, granted: &(impl GrantedScopes + ?Sized)) -> Result<(), MissingScopes> {
        let is_missing = |scope: &&'static str| {
            !granted.grants(scope)
                && self.branch.is_none_or(|branch| {
                    let mut sufficient = branch.sufficient(scope).into_iter();
                    !sufficient.any(|scope| granted.grants(scope))
                })
        };
        let missing: Vec<_> = self.scopes.iter().copied().filter(is_missing).collect();
        if missing.is_empty() { Ok(()) } else { Err(MissingScopes { required: self, missing }) }
    }

    /// Creates a `400` error with the code `invalid_request` and the required scopes.
    #[must_use]
    pub fn invalid_request(self) -> BearerError {
        self.named_in(BearerError::invalid_request())
    }

    /// Creates a `401` error with the code `invalid_token` and the required scopes.
    #[must_use]
    pub fn invalid_token(self) -> BearerError {
        self.named_in(BearerError::invalid_token())
    }

    /// Creates a `403` error with the code `insufficient_scope` and the required scopes.
    #[must_use]
    pub fn insufficient_scope(self) -> BearerError {
        self.named_in(BearerError::insufficient_scope())
    }

    /// Creates a `401` error with the code `insufficient_user_authentication` and the required
    /// scopes.
    #[must_use]
    pub fn insufficient_user_authentication(self) -> BearerError {
        self.named_in(BearerError::insufficient_user_authentication())
    }

    /// Creates a `401` error with the required scopes and without an error code, as in FastAPI's
    /// tutorial.
    #[must_use]
    pub fn unauthorized(self, detail: &'static str) -> BearerError {
        self.named_in(BearerError::unauthorized(detail))
    }

    /// Adds the scopes to an error. Below a scheme that declares a protection space, the challenge
    /// is completed, and its scopes are all that the plan requires of the scheme.
    fn named_in(self, error: BearerError) -> BearerError {
        match self.branch.and_then(|branch| Some((branch, branch.scheme()?))) {
            None => error.requiring(self.scopes()),
            Some((branch, scheme)) => error.requiring(branch.required()).completed(
                scheme.usable_realm().unwrap_or_default(),
                scheme.usable_resource().unwrap_or_default(),
                scheme.dpop,
            ),
        }
    }

    /// Returns the identifier of the resource that the scheme below the function that asks
    /// declares. A test may have replaced the scheme, so its settings may be still unread.
    #[doc(hidden)]
    #[must_use]
    pub fn resource(self) -> Option<&'static str> {
        self.branch.and_then(Branch::scheme)?.usable_resource().ok()?
    }

    pub(crate) fn is_same_set(self, other: Self) -> bool {
        self.scopes.len() == other.scopes.len()
            && self.scopes.iter().all(|scope| other.scopes.contains(scope))
    }
}

debug_only!([] SecurityScopes { scopes, scope_str });

/// Compares the scopes in order.
impl PartialEq for SecurityScopes {
    fn eq(&self, other: &Self) -> bool {
        self.scopes == other.scopes
    }
}

impl Eq for SecurityScopes {}

impl Hash for SecurityScopes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scopes.hash(state);
    }
}

/// The error returned when a token does not grant all required scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingScopes {
    required: SecurityScopes,
    missing: Vec<&'static str>,
}

impl MissingScopes {
    /// Returns the missing scopes, in the order in which they are required.
    #[must_use]
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// Returns all required scopes.
    #[must_use]
    pub const fn required(&self) -> SecurityScopes {
        self.required
    }
}

impl fmt::Display for MissingScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scopes are missing: {}", self.missing.join(" "))
    }
}

impl core::error::Error for MissingScopes {}

impl From<MissingScopes> for BearerError {
    fn from(missing: MissingScopes) -> Self {
        missing.required.insufficient_scope()
    }
}

#[cfg(test)]
mod tests {
    use crate::security_scopes;

    #[test]
    fn a_set_has_no_order() {
        let all = security_scopes!["a", "b"];
        for (other, is_same) in [
            (security_scopes!["a", "b"], true),
            (security_scopes!["b", "a"], true),
            (security_scopes!["a"], false),
            (security_scopes!["a", "c"], false),
            (security_scopes!["a", "b", "c"], false),
            (security_scopes![], false),
        ] {
            assert_eq!(all.is_same_set(other), is_same, "{other:?}");
            assert_eq!(other.is_same_set(all), is_same, "{other:?}");
        }
    }
}
