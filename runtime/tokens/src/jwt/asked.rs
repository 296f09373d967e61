//! What a request asks a verifier.

use doorward_core::__tokens::BoundTo;
use doorward_core::{BearerToken, SecurityScopes};

use crate::reason::Reason;

/// A token, and the scopes that are checked against it.
pub(crate) struct Asked<'t> {
    pub(crate) token: &'t BearerToken,
    pub(crate) scopes: SecurityScopes,
    /// In seconds since 1970.
    pub(crate) now: f64,
    /// `true` if a wrapper asks, which checks what the token is bound to, and then the scopes.
    pub(crate) takes_bound: bool,
}

impl Asked<'_> {
    /// Checks that a token is not bound, unless the wrapper does.
    pub(crate) fn check_bound(&self, bound_to: Option<&BoundTo>) -> Result<(), Reason> {
        if bound_to.is_none() || self.takes_bound { Ok(()) } else { Err(Reason::Bound) }
    }
}
