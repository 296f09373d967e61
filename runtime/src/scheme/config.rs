//! The configuration of a scheme.

use super::authorization::RejectionReason;
use super::credential::Credential;
use super::flow::Flows;
use super::rejection::Rejection;

/// The configuration of a scheme, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeConfig {
    /// Its name in the API description; the struct's name unless one is given.
    pub scheme_name: &'static str,
    /// What it is, for people (CommonMark); the struct's doc comment unless one is given.
    pub description: Option<&'static str>,
    /// The flows that it declares in the API description.
    pub flows: Flows,
    /// Whether a request without a credential is refused; otherwise the scheme yields an `Option`.
    pub auto_error: bool,
    /// Whether a bearer scheme takes only the grammar of [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    pub strict: bool,
    /// The response to every request that the scheme refuses, where it replaces the default ones.
    pub rejection: Option<Rejection>,
}

impl SchemeConfig {
    /// The configuration of a scheme that yields `C`, of this name and with no flows.
    #[must_use]
    pub const fn new<C: Credential>(scheme_name: &'static str) -> Self {
        Self {
            scheme_name,
            description: None,
            flows: Flows::NONE,
            auto_error: C::AUTO_ERROR,
            strict: false,
            rejection: None,
        }
    }

    /// This configuration with a description.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// This configuration with these flows.
    #[must_use]
    pub const fn flows(mut self, flows: Flows) -> Self {
        self.flows = flows;
        self
    }

    /// This configuration, strict or not.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The response to a request that a scheme of this configuration refuses.
    #[must_use]
    pub const fn rejection_of(&self, reason: RejectionReason) -> Rejection {
        let rejection = match self.rejection {
            Some(rejection) => rejection,
            None => Rejection::of(reason, self.strict),
        };
        rejection.because(reason)
    }

    /// This configuration with a response of its own.
    #[must_use]
    pub const fn rejection(mut self, rejection: Rejection) -> Self {
        self.rejection = Some(rejection);
        self
    }
}
