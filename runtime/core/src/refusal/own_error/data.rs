//! The error type that a scheme names, as const data.

#[cfg(feature = "openapi")]
use crate::refusal::own_error::description::ErrorDescription;
#[cfg(feature = "openapi")]
use crate::syntax::json::tree::{Object, Tree};

/// The error type that a scheme names, as const data.
#[derive(Clone, Copy, Debug)]
pub struct OwnErrorData {
    /// `true` if its responses have a challenge.
    #[cfg(feature = "openapi")]
    has_challenge: bool,
    #[cfg(feature = "openapi")]
    pub(crate) description: ErrorDescription,
}

impl OwnErrorData {
    /// Creates the data of an error type.
    #[cfg(feature = "openapi")]
    #[must_use]
    pub const fn new(has_challenge: bool, description: ErrorDescription) -> Self {
        Self { has_challenge, description }
    }

    /// Creates the data of an error type, without the description, which only OpenAPI needs.
    #[cfg(not(feature = "openapi"))]
    #[must_use]
    pub const fn new(_has_challenge: bool, _description: ()) -> Self {
        Self {}
    }

    /// Returns the response to a request that is refused in the service's own format, instead of
    /// the `standard` one. Returns `None` if the error type has no response with this status.
    #[cfg(feature = "openapi")]
    pub(crate) fn response(self, status: &str, mut standard: Object) -> Option<Tree> {
        if !self.has_challenge {
            standard.remove("headers");
        }
        self.description.response(status, standard)
    }
}

/// Two error types are not told apart: a scheme has one.
impl PartialEq for OwnErrorData {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OwnErrorData {}
