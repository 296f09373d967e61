//! Chains of dependencies. The leaf of most returns the scopes that it sees.

use tollgate::{AuthorizationValue, BearerToken, SecurityScopes, dependency};

use crate::schemes::{Base, Password};

/// Returns the scopes of its chain.
#[dependency]
#[must_use]
pub const fn collected(scopes: SecurityScopes) -> SecurityScopes {
    scopes
}

/// Requires `me` of [`collected`].
#[dependency]
#[must_use]
pub const fn me(#[security(collected, scopes("me"))] scopes: SecurityScopes) -> SecurityScopes {
    scopes
}

/// Requires `items` of [`me`], and `me` once more.
#[dependency]
#[must_use]
pub const fn again(
    #[security(me, scopes("items", "me"))] scopes: SecurityScopes,
) -> SecurityScopes {
    scopes
}

/// The scopes that two siblings see.
#[derive(Debug)]
pub struct Both {
    /// The scopes that the first one sees.
    pub left: SecurityScopes,
    /// The scopes that the second one sees.
    pub right: SecurityScopes,
}

/// Requires one scope of each of two siblings.
#[dependency]
#[must_use]
pub const fn both(
    #[security(collected, scopes("scope1"))] left: SecurityScopes,
    #[security(collected, scopes("scope2"))] right: SecurityScopes,
) -> Both {
    Both { left, right }
}

/// Takes any token. The scopes are documented, and nobody checks them.
#[dependency]
#[must_use]
pub fn any_token(#[security(Password)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

/// Lets every request with an `Authorization` header through.
#[dependency]
pub fn any_value(#[security(Base)] _value: AuthorizationValue) {}
