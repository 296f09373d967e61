//! The flows that a scheme declares, as const data.

use crate::const_str;

/// The flows of a scheme: the OAuth Flows Object of
/// [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html#oauth-flows-object).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flows {
    /// The implicit flow ([RFC 6749, 4.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.2)).
    pub implicit: Option<Flow>,
    /// The resource owner password credentials flow
    /// ([RFC 6749, 4.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.3)).
    pub password: Option<Flow>,
    /// The client credentials flow
    /// ([RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4)).
    pub client_credentials: Option<Flow>,
    /// The authorization code flow
    /// ([RFC 6749, 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1)).
    pub authorization_code: Option<Flow>,
}

impl Flows {
    /// No flows.
    pub const NONE: Self = Self {
        implicit: None,
        password: None,
        client_credentials: None,
        authorization_code: None,
    };

    /// Sets the implicit flow.
    #[must_use]
    pub const fn implicit(mut self, flow: Flow) -> Self {
        self.implicit = Some(flow);
        self
    }

    /// Sets the password flow.
    #[must_use]
    pub const fn password(mut self, flow: Flow) -> Self {
        self.password = Some(flow);
        self
    }

    /// Sets the client credentials flow.
    #[must_use]
    pub const fn client_credentials(mut self, flow: Flow) -> Self {
        self.client_credentials = Some(flow);
        self
    }

    /// Sets the authorization code flow.
    #[must_use]
    pub const fn authorization_code(mut self, flow: Flow) -> Self {
        self.authorization_code = Some(flow);
        self
    }

    pub(crate) const fn all(&self) -> [&Option<Flow>; 4] {
        [
            &self.implicit,
            &self.password,
            &self.client_credentials,
            &self.authorization_code,
        ]
    }

    /// Returns `true` if no flow is declared.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.all(), [None, None, None, None])
    }

    /// Returns `true` if one of the scopes implies another.
    pub(crate) const fn has_hierarchy(&self) -> bool {
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow {
                let mut scopes = flow.scopes;
                while let [scope, tail @ ..] = scopes {
                    if !scope.implies.is_empty() {
                        return true;
                    }
                    scopes = tail;
                }
            }
            flows = tail;
        }
        false
    }

    /// Returns a hash of what each scope implies (FNV-1a), by which equal hierarchies are known.
    pub(crate) const fn hierarchy_hash(&self) -> u64 {
        let mut hash = const_str::HASH_OF_NOTHING;
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow {
                let mut scopes = flow.scopes;
                while let [scope, tail @ ..] = scopes {
                    hash = const_str::hash(hash, scope.name);
                    let mut implied = scope.implies;
                    while let [scope, tail @ ..] = implied {
                        hash = const_str::hash(const_str::hash(hash, ">"), scope);
                        implied = tail;
                    }
                    hash = const_str::hash(hash, " ");
                    scopes = tail;
                }
            }
            flows = tail;
        }
        hash
    }

    /// Returns the first scope that implies other scopes here than in one of the other flows.
    pub(crate) const fn contradicts(&self, other: &Self) -> Option<&'static str> {
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow {
                let mut scopes = flow.scopes;
                while let [scope, tail @ ..] = scopes {
                    if !scope.implies.is_empty() && other.implies_differently(scope) {
                        return Some(scope.name);
                    }
                    scopes = tail;
                }
            }
            flows = tail;
        }
        None
    }

    const fn implies_differently(&self, scope: &Scope) -> bool {
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow {
                let mut others = flow.scopes;
                while let [other, tail @ ..] = others {
                    if const_str::eq(other.name, scope.name)
                        && !(other.implies_all_of(scope) && scope.implies_all_of(other))
                    {
                        return true;
                    }
                    others = tail;
                }
            }
            flows = tail;
        }
        false
    }

    /// Returns `true` if one of the flows offers the scope.
    pub(crate) const fn declares(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow
                && flow.offers(name)
            {
                return true;
            }
            flows = tail;
        }
        false
    }

    /// Returns the first scope with a name similar to `name`, to suggest it for a misspelling.
    pub(crate) const fn nearest(&self, name: &str) -> Option<&'static str> {
        let mut flows: &[&Option<Flow>] = &self.all();
        while let [flow, tail @ ..] = flows {
            if let Some(flow) = flow
                && let Some(scope) = flow.nearest(name)
            {
                return Some(scope);
            }
            flows = tail;
        }
        None
    }
}

/// One flow: the OAuth Flow Object of
/// [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html#oauth-flow-object).
///
/// URLs are kept as written. Relative URLs (`token`, `/token`) are common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flow {
    /// The URL where the user logs in. Implicit and authorization code flows have it.
    pub authorization_url: Option<&'static str>,
    /// The URL where a client gets its token. Every flow except the implicit one has it.
    pub token_url: Option<&'static str>,
    /// The URL where a client renews its token.
    pub refresh_url: Option<&'static str>,
    /// The scopes that the flow offers, as declared.
    pub scopes: &'static [Scope],
}

impl Flow {
    /// A flow without URLs or scopes.
    pub const EMPTY: Self = Self {
        authorization_url: None,
        token_url: None,
        refresh_url: None,
        scopes: &[],
    };

    /// Returns `true` if the flow offers the scope with these bytes. It compares them in place, as
    /// this is evaluated for each scope of each handler, and calls cost the compiler the most.
    const fn offers(&self, name: &[u8]) -> bool {
        let mut scopes = self.scopes;
        while let [scope, tail @ ..] = scopes {
            let (mut a, mut b) = (scope.name.as_bytes(), name);
            while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b)
                && *first_a == *first_b
            {
                (a, b) = (rest_a, rest_b);
            }
            if let ([], []) = (a, b) {
                return true;
            }
            scopes = tail;
        }
        false
    }

    const fn nearest(&self, name: &str) -> Option<&'static str> {
        let mut scopes = self.scopes;
        while let [scope, tail @ ..] = scopes {
            if const_str::is_near(scope.name, name) {
                return Some(scope.name);
            }
            scopes = tail;
        }
        None
    }

    /// Sets the authorization URL.
    #[must_use]
    pub const fn authorization_url(mut self, url: &'static str) -> Self {
        self.authorization_url = Some(url);
        self
    }

    /// Sets the token URL.
    #[must_use]
    pub const fn token_url(mut self, url: &'static str) -> Self {
        self.token_url = Some(url);
        self
    }

    /// Sets the refresh URL.
    #[must_use]
    pub const fn refresh_url(mut self, url: &'static str) -> Self {
        self.refresh_url = Some(url);
        self
    }

    /// Sets the scopes.
    #[must_use]
    pub const fn scopes(mut self, scopes: &'static [Scope]) -> Self {
        self.scopes = scopes;
        self
    }
}

/// A scope that a flow offers.
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
        Self {
            name,
            description,
            implies: &[],
        }
    }

    /// Sets the scopes that a token with this one has too.
    #[must_use]
    pub const fn implies(mut self, implies: &'static [&'static str]) -> Self {
        self.implies = implies;
        self
    }

    /// Returns `true` if this scope implies all scopes that `other` implies.
    const fn implies_all_of(&self, other: &Self) -> bool {
        let mut implied = other.implies;
        while let [scope, tail @ ..] = implied {
            if !const_str::contains(self.implies, scope) {
                return false;
            }
            implied = tail;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Flow = Flow::EMPTY.scopes(&[Scope::new("read", "Read."), Scope::new("me", "Me.")]);
    const WRITE: Flow = Flow::EMPTY.scopes(&[Scope::new("write", "Write.")]);

    #[test]
    fn no_flow_is_none_of_the_four() {
        assert!(Flows::NONE.is_empty());
        for flows in [
            Flows::NONE.implicit(READ),
            Flows::NONE.password(READ),
            Flows::NONE.client_credentials(READ),
            Flows::NONE.authorization_code(READ),
        ] {
            assert!(!flows.is_empty());
        }
    }

    #[test]
    fn a_scope_is_looked_for_in_every_flow() {
        let flows = Flows::NONE.implicit(READ).authorization_code(WRITE);
        for scope in ["read", "me", "write"] {
            assert!(flows.declares(scope), "{scope}");
        }
        for scope in ["", "rea", "reads", "items"] {
            assert!(!flows.declares(scope), "{scope}");
        }
        assert_eq!(flows.nearest("raed"), Some("read"));
        assert_eq!(flows.nearest("writ"), Some("write"));
        assert_eq!(flows.nearest("bananas"), None);
        assert_eq!(Flows::NONE.nearest("read"), None);
    }
}
