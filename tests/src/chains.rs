//! Chains of dependencies. The leaf of most returns the scopes that it sees.

use doorward::{AuthorizationValue, BearerToken, SecurityScopes, dependency};
use serde_json::{Value, json};

use crate::schemes::{Base, Password};
use crate::shown::Shown;

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

impl Shown for Both {
    fn shown(&self) -> Value {
        json!({ "left": self.left.shown(), "right": self.right.shown() })
    }
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
#[dependency(unverified)]
pub fn any_value(#[security(Base)] _value: AuthorizationValue) {}

/// A user whom a server's own dependency has found.
#[derive(Debug)]
pub struct User(pub String);

impl Shown for User {
    fn shown(&self) -> Value {
        json!({ "user": self.0 })
    }
}

/// Calls a macro with the path, a name, the plan and the value of each route that shows what a plan
/// resolves to.
#[macro_export]
macro_rules! for_each_plan {
    ($route:ident) => {
        $route!("/scopes/none", scopes_none, (collected), SecurityScopes);
        $route!("/scopes/me", scopes_me, (me), SecurityScopes);
        $route!("/scopes/items-me", scopes_items_me, (me, scopes("items")), SecurityScopes);
        $route!("/scopes/repeated", scopes_repeated, (again, scopes("me")), SecurityScopes);
        $route!("/scopes/branches", scopes_branches, (both, scopes("scope3")), Both);
        $route!("/rfc/me", rfc_me, (rfc::user), Granted);
        $route!("/rfc/items", rfc_items, (rfc::user, scopes("items")), Granted);
        $route!("/one-of", one_of, (Caller), Caller);
        $route!("/one-of-required", one_of_required, (KnownCaller), KnownCaller);
        $route!("/role/editor", role_editor, (act::role(act::Role::Editor)), act::Caller);
        $route!("/role/admin", role_admin, (act::role(act::Role::Admin)), act::Caller);
    };
}

/// Calls a macro as [`for_each_plan`] does, for the routes with verified tokens.
#[macro_export]
macro_rules! for_each_verified {
    ($route:ident) => {
        $route!("/jwt/me", jwt_me, (jwt::user), jwt::Caller);
        $route!("/jwt/items", jwt_items, (jwt::user, scopes("items")), jwt::Caller);
        $route!("/jwt/one", jwt_one, (jwt::One), jwt::Caller);
        $route!("/jwt/one-items", jwt_one_items, (jwt::One, scopes("items")), jwt::Caller);
    };
}

/// Calls a macro as [`for_each_plan`] does, for the routes whose tokens may have a proof.
#[macro_export]
macro_rules! for_each_bound {
    ($route:ident) => {
        $route!("/dpop/me", dpop_me, (bound::Dpop), jwt::Caller);
        $route!("/dpop/items", dpop_items, (bound::Dpop, scopes("items")), jwt::Caller);
    };
}

/// Calls a macro as [`for_each_plan`] does, for the routes with opaque tokens.
#[macro_export]
macro_rules! for_each_opaque {
    ($route:ident) => {
        $route!("/opaque/me", opaque_me, (opaque::Opaque), opaque::Caller);
        $route!("/opaque/items", opaque_items, (opaque::Opaque, scopes("items")), opaque::Caller);
    };
}
