//! The scopes that a scheme declares, as const data.

use crate::syntax::const_str;

/// Asks for a refresh token. It is not a scope of a resource, so no challenge names it
/// ([OpenID Connect Core, 11](https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess)).
pub(crate) const OFFLINE_ACCESS: &str = "offline_access";

/// A scope that a scheme declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// The name, a `scope-token` of
    /// [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3).
    pub name: &'static str,
    /// A description, for people, of the access that the scope grants.
    pub description: &'static str,
    /// The scopes that a token with this one has too, directly.
    pub implies: &'static [&'static str],
}

impl Scope {
    /// Creates a scope with a description of the access that it grants.
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description, implies: &[] }
    }

    /// Sets the scopes that a token with this one has too.
    #[must_use]
    pub const fn with_implied(mut self, implies: &'static [&'static str]) -> Self {
        self.implies = implies;
        self
    }
}

/// All scopes of a scheme: those of each flow, or of OpenID Connect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeclaredScopes(pub(crate) [&'static [Scope]; 4]);

impl DeclaredScopes {
    pub(super) const fn of(scopes: &'static [Scope]) -> Self {
        Self([scopes, &[], &[], &[]])
    }

    /// Returns the scopes one after the other.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Scope> {
        self.0.into_iter().flatten()
    }

    /// Returns the name of each scope once.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for scope in self.iter() {
            if !names.contains(&scope.name) {
                names.push(scope.name);
            }
        }
        names
    }

    /// Returns `true` if no scope is declared.
    pub(crate) const fn is_empty(self) -> bool {
        self.split_first().is_none()
    }

    /// Returns `true` if the scope is declared.
    pub(crate) const fn declares(self, name: &str) -> bool {
        let mut rest = self;
        while let Some((scope, tail)) = rest.split_first() {
            if const_str::eq(scope.name, name) {
                return true;
            }
            rest = tail;
        }
        false
    }

    /// Returns the first scope, and the others.
    pub(crate) const fn split_first(mut self) -> Option<(&'static Scope, Self)> {
        let mut lists = self.0.as_mut_slice();
        while let [scopes, tail @ ..] = lists {
            if let [scope, rest @ ..] = *scopes {
                *scopes = rest;
                return Some((scope, self));
            }
            lists = tail;
        }
        None
    }

    /// Returns the scope with the name most similar to `name`, to suggest it for a misspelling. Of
    /// two that are as similar, it is the first.
    pub(crate) const fn nearest(self, name: &str) -> Option<&'static str> {
        let mut nearest = None;
        let mut fewest = usize::MAX;
        let mut rest = self;
        while let Some((scope, tail)) = rest.split_first() {
            if let Some(edits) = const_str::edits_between_near(scope.name, name)
                && edits < fewest
            {
                fewest = edits;
                nearest = Some(scope.name);
            }
            rest = tail;
        }
        nearest
    }

    /// Returns `true` if one of the scopes implies another.
    pub(crate) const fn has_hierarchy(self) -> bool {
        self.implied_beyond(Self::of(&[])).is_some()
    }

    /// Returns a hash of what each scope implies (FNV-1a). Equal ones are of the same hierarchy,
    /// whose scopes may be in another order.
    pub(crate) const fn hierarchy_hash(self) -> u64 {
        let mut hash = 0_u64;
        let mut rest = self;
        while let Some((scope, tail)) = rest.split_first() {
            let of_scope = const_str::hash(const_str::HASH_OF_NOTHING, scope.name);
            let mut implied = scope.implies;
            while let [other, tail @ ..] = implied {
                let pair = const_str::hash(const_str::hash(of_scope, ">"), other);
                hash = hash.wrapping_add(pair);
                implied = tail;
            }
            rest = tail;
        }
        hash
    }

    /// Returns the first scope that implies another one here and not there, with the other one.
    pub(crate) const fn implied_beyond(self, there: Self) -> Option<(&'static str, &'static str)> {
        let mut rest = self;
        while let Some((scope, tail)) = rest.split_first() {
            let mut implied = scope.implies;
            while let [other, tail @ ..] = implied {
                if !there.implies(scope.name, other) {
                    return Some((scope.name, other));
                }
                implied = tail;
            }
            rest = tail;
        }
        None
    }

    /// Returns `true` if a scope implies another one directly.
    const fn implies(self, name: &str, implied: &str) -> bool {
        let mut rest = self;
        while let Some((scope, tail)) = rest.split_first() {
            if const_str::eq(scope.name, name) && const_str::contains(scope.implies, implied) {
                return true;
            }
            rest = tail;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::flow::{Flow, Flows};

    const READ: Flow =
        Flow::new().with_scopes(&[Scope::new("read", "Read."), Scope::new("me", "Me.")]);
    const WRITE: Flow = Flow::new().with_scopes(&[Scope::new("write", "Write.")]);

    #[test]
    fn a_scope_is_looked_for_in_every_flow() {
        let scopes = Flows::new().with_implicit(READ).with_authorization_code(WRITE).scopes();
        for scope in ["read", "me", "write"] {
            assert!(scopes.declares(scope), "{scope}");
        }
        for scope in ["", "rea", "reads", "items"] {
            assert!(!scopes.declares(scope), "{scope}");
        }
        assert_eq!(scopes.nearest("raed"), Some("read"));
        assert_eq!(scopes.nearest("writ"), Some("write"));
        assert_eq!(scopes.nearest("bananas"), None);
        assert_eq!(Flows::new().scopes().nearest("read"), None);
    }

    #[test]
    fn the_nearest_of_several_similar_scopes_is_suggested() {
        const TYPISTS: Flow = Flow::new().with_scopes(&[
            Scope::new("typist_a", "One."),
            Scope::new("typist", "Any."),
            Scope::new("typist_b", "Another."),
        ]);
        let scopes = Flows::new().with_implicit(TYPISTS).scopes();
        assert_eq!(scopes.nearest("typists"), Some("typist"));
        assert_eq!(scopes.nearest("typist_c"), Some("typist_a"));
    }
}
