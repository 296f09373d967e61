//! The flows that a scheme declares, as const data.

use crate::scheme::scope::{DeclaredScopes, Scope};
use crate::scheme::setting::rule::{Rule, RuleFault};
use crate::scheme::setting::text_or_setting::TextOrSetting;

/// The flows of a scheme: the OAuth Flows Object of
/// [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html#oauth-flows-object).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flows {
    implicit: Option<Flow>,
    password: Option<Flow>,
    client_credentials: Option<Flow>,
    authorization_code: Option<Flow>,
}

impl Flows {
    /// Creates a list without flows.
    #[must_use]
    pub const fn new() -> Self {
        Self { implicit: None, password: None, client_credentials: None, authorization_code: None }
    }

    /// Sets the implicit flow
    /// ([RFC 6749, 4.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.2)).
    #[must_use]
    pub const fn with_implicit(mut self, flow: Flow) -> Self {
        self.implicit = Some(flow);
        self
    }

    /// Sets the resource owner password credentials flow
    /// ([RFC 6749, 4.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.3)).
    #[must_use]
    pub const fn with_password(mut self, flow: Flow) -> Self {
        self.password = Some(flow);
        self
    }

    /// Sets the client credentials flow
    /// ([RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4)).
    #[must_use]
    pub const fn with_client_credentials(mut self, flow: Flow) -> Self {
        self.client_credentials = Some(flow);
        self
    }

    /// Sets the authorization code flow
    /// ([RFC 6749, 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1)).
    #[must_use]
    pub const fn with_authorization_code(mut self, flow: Flow) -> Self {
        self.authorization_code = Some(flow);
        self
    }

    /// Returns the implicit flow.
    #[must_use]
    pub const fn implicit(&self) -> Option<Flow> {
        self.implicit
    }

    /// Returns the resource owner password credentials flow.
    #[must_use]
    pub const fn password(&self) -> Option<Flow> {
        self.password
    }

    /// Returns the client credentials flow.
    #[must_use]
    pub const fn client_credentials(&self) -> Option<Flow> {
        self.client_credentials
    }

    /// Returns the authorization code flow.
    #[must_use]
    pub const fn authorization_code(&self) -> Option<Flow> {
        self.authorization_code
    }

    pub(crate) const fn all(&self) -> [&Option<Flow>; 4] {
        [&self.implicit, &self.password, &self.client_credentials, &self.authorization_code]
    }

    /// Returns `true` if no flow is declared.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.all(), [None, None, None, None])
    }

    /// Returns the first mistake in the URLs that are known at compile time.
    pub(super) const fn fault(&self) -> Option<RuleFault> {
        let all = self.all();
        let mut flows: &[&Option<Flow>] = &all;
        while let [flow, tail @ ..] = flows {
            if let Some(Flow { fault: Some(fault), .. }) = flow {
                return Some(*fault);
            }
            flows = tail;
        }
        None
    }

    /// Returns the scopes that the flows offer.
    pub(super) const fn scopes(&self) -> DeclaredScopes {
        // Not a function: this is evaluated for each scope of each handler, where calls cost the
        // compiler the most.
        macro_rules! of {
            ($($flow:ident),*) => {
                DeclaredScopes([$(match &self.$flow {
                    Some(flow) => flow.scopes,
                    None => &[],
                }),*])
            };
        }
        of!(password, authorization_code, client_credentials, implicit)
    }
}

/// One flow: the OAuth Flow Object of
/// [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html#oauth-flow-object).
///
/// URLs are kept as written. Relative URLs (`token`, `/token`) are common. A scheme does not
/// compile if one of them is empty or has control characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    authorization_url: Option<TextOrSetting>,
    token_url: Option<TextOrSetting>,
    refresh_url: Option<TextOrSetting>,
    scopes: &'static [Scope],
    /// The first mistake in a URL.
    fault: Option<RuleFault>,
}

impl Flow {
    /// Creates a flow without URLs or scopes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            authorization_url: None,
            token_url: None,
            refresh_url: None,
            scopes: &[],
            fault: None,
        }
    }

    /// Sets the authorization URL, where the user logs in. Implicit and authorization code flows
    /// have it.
    #[must_use]
    pub const fn with_authorization_url(mut self, url: TextOrSetting) -> Self {
        self.authorization_url = Some(url);
        self.checked(url)
    }

    /// Sets the token URL, where a client gets its token. Every flow except the implicit one has
    /// it.
    #[must_use]
    pub const fn with_token_url(mut self, url: TextOrSetting) -> Self {
        self.token_url = Some(url);
        self.checked(url)
    }

    /// Sets the refresh URL, where a client renews its token.
    #[must_use]
    pub const fn with_refresh_url(mut self, url: TextOrSetting) -> Self {
        self.refresh_url = Some(url);
        self.checked(url)
    }

    /// Sets the scopes that the flow offers.
    #[must_use]
    pub const fn with_scopes(mut self, scopes: &'static [Scope]) -> Self {
        self.scopes = scopes;
        self
    }

    /// Notes the mistake in a URL, unless there is an earlier one.
    const fn checked(mut self, url: TextOrSetting) -> Self {
        if self.fault.is_none() {
            self.fault = url.fault(Rule::Url);
        }
        self
    }

    /// Returns the authorization URL.
    #[must_use]
    pub const fn authorization_url(&self) -> Option<TextOrSetting> {
        self.authorization_url
    }

    /// Returns the token URL.
    #[must_use]
    pub const fn token_url(&self) -> Option<TextOrSetting> {
        self.token_url
    }

    /// Returns the refresh URL.
    #[must_use]
    pub const fn refresh_url(&self) -> Option<TextOrSetting> {
        self.refresh_url
    }

    /// Returns the scopes, as declared.
    #[must_use]
    pub const fn scopes(&self) -> &'static [Scope] {
        self.scopes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Flow = Flow::new().with_scopes(&[Scope::new("read", "Read.")]);

    #[test]
    fn no_flow_is_none_of_the_four() {
        assert!(Flows::new().is_empty());
        for flows in [
            Flows::new().with_implicit(READ),
            Flows::new().with_password(READ),
            Flows::new().with_client_credentials(READ),
            Flows::new().with_authorization_code(READ),
        ] {
            assert!(!flows.is_empty());
        }
    }

    #[test]
    fn the_first_mistake_in_a_url_is_noted() {
        let empty = TextOrSetting::Text("");
        let flow = READ.with_token_url(TextOrSetting::Text("token")).with_refresh_url(empty);
        let flows = Flows::new().with_implicit(READ).with_password(flow);
        assert_eq!(flows.fault(), empty.fault(Rule::Url));
        assert!(Flows::new().with_password(READ).fault().is_none());
    }
}
