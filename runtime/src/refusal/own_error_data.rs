//! The error type that a scheme names, as const data.

#[cfg(feature = "openapi")]
use crate::json::tree::{Json, Object, Tree};

/// The error type that a scheme names, as const data.
#[derive(Clone, Copy, Debug)]
pub struct OwnErrorData {
    /// `true` if its responses have a challenge.
    #[cfg(feature = "openapi")]
    pub(crate) has_challenge: bool,
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

    /// Creates the data of an error type, which nobody describes.
    #[cfg(not(feature = "openapi"))]
    #[must_use]
    pub const fn new(_has_challenge: bool, _description: ()) -> Self {
        Self {}
    }
}

/// Two error types are not told apart: a scheme has one.
impl PartialEq for OwnErrorData {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OwnErrorData {}

/// The responses of an error type of the service by status, or the schema of their body. utoipa's
/// traits say it; without them, nothing is known.
#[cfg(feature = "openapi")]
#[derive(Clone, Copy, Debug)]
pub struct ErrorDescription {
    pub(crate) responses: Option<fn() -> Json>,
    pub(crate) schema: Option<fn() -> BodySchema>,
}

/// The schema of a body, and those that it refers to: components of the document, by name.
#[cfg(feature = "openapi")]
#[derive(Debug)]
pub struct BodySchema {
    pub(crate) schema: Tree,
    pub(crate) components: Object,
}

#[cfg(feature = "openapi")]
impl ErrorDescription {
    /// The description of an error type about which nothing is known.
    pub const NOTHING: Self = Self { responses: None, schema: None };

    /// Creates a description.
    #[must_use]
    pub const fn new(responses: Option<fn() -> Json>, schema: Option<fn() -> BodySchema>) -> Self {
        Self { responses, schema }
    }

    /// Returns this description, or the other one if this one knows nothing: a type may have the
    /// traits of two versions.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.responses.is_none() && self.schema.is_none() {
            return other;
        }
        self
    }
}
