//! The configuration of a scheme.

use super::authorization::RejectionReason;
use super::credential::Credential;
use super::flow::Flows;
use super::rejection::Rejection;

/// The configuration of a scheme, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeConfig {
    /// The scheme's name in the API description. Defaults to the name of the struct.
    pub scheme_name: &'static str,
    /// The scheme's description for people (CommonMark). Defaults to the doc comment of the struct.
    pub description: Option<&'static str>,
    /// The flows that the scheme declares in the API description.
    pub flows: Flows,
    /// If `true`, a request without a credential is refused; otherwise, the scheme yields an
    /// `Option`.
    pub auto_error: bool,
    /// If `true`, a bearer scheme accepts only the grammar of
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    pub strict: bool,
    /// The response to every request that the scheme refuses. If `None`, the default responses are
    /// sent.
    pub rejection: Option<Rejection>,
}

impl SchemeConfig {
    /// Creates the configuration of a scheme that yields `C`, with this name and no flows.
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

    /// Sets the description.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the flows.
    #[must_use]
    pub const fn flows(mut self, flows: Flows) -> Self {
        self.flows = flows;
        self
    }

    /// Sets whether a bearer scheme accepts only the grammar of RFC 6750.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Returns the response to a request that the scheme refuses for this reason.
    #[must_use]
    pub const fn rejection_of(&self, reason: RejectionReason) -> Rejection {
        let rejection = match self.rejection {
            Some(rejection) => rejection,
            None => Rejection::of(reason, self.strict),
        };
        rejection.because(reason)
    }

    /// Sets the response to every request that the scheme refuses.
    #[must_use]
    pub const fn rejection(mut self, rejection: Rejection) -> Self {
        self.rejection = Some(rejection);
        self
    }
}
