//! Chains of dependencies without a scheme, whose leaf tells the scopes that it sees.

use tollgate::{SecurityScopes, dependency};

/// The scopes of its chain.
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

/// Requires `items` and, once more, `me` of [`me`].
#[dependency]
#[must_use]
pub const fn again(
    #[security(me, scopes("items", "me"))] scopes: SecurityScopes,
) -> SecurityScopes {
    scopes
}

/// What two siblings see.
#[derive(Debug)]
pub struct Both {
    /// What the first sees.
    pub left: SecurityScopes,
    /// What the second sees.
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
