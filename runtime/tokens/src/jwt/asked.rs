//! What a request asks a verifier.

use doorward_core::{BearerToken, SecurityScopes};

/// A token, and the scopes that are checked against it.
pub(crate) struct Asked<'t> {
    pub(crate) token: &'t BearerToken,
    pub(crate) scopes: SecurityScopes,
    /// In seconds since 1970.
    pub(crate) now: f64,
}
