//! The flows that a scheme declares, as const data.

use super::scope::{DeclaredScopes, Scope};

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

    /// Returns the scopes that the flows offer.
    pub(super) const fn scopes(&self) -> DeclaredScopes {
        const fn of(flow: &Option<Flow>) -> &'static [Scope] {
            match flow {
                Some(flow) => flow.scopes,
                None => &[],
            }
        }
        DeclaredScopes([
            of(&self.password),
            of(&self.authorization_code),
            of(&self.client_credentials),
            of(&self.implicit),
        ])
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

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Flow = Flow::EMPTY.scopes(&[Scope::new("read", "Read.")]);

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
}
