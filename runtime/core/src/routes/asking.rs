//! Whether a matrix of callers asks for a route.

use core::mem::discriminant;
use std::sync::Arc;

/// Whether a route is asked. Two of one kind are equal, because the name of what answers differs
/// from one router to the next.
#[derive(Clone, Debug)]
pub(crate) enum Asking {
    /// It is asked. A parameter of the plan with this name answers instead of the handler.
    #[cfg(feature = "openapi")]
    Plan {
        plan: Arc<str>,
        /// Precedes the path, as the description says.
        base: String,
    },
    /// It is asked. The door with this name answers instead of the handler.
    #[cfg(feature = "axum08")]
    Door(Arc<str>),
    /// It is printed as it is in the table, because nothing could answer instead of its handler.
    Printed,
    /// It is printed, because the table has no path that leads to it, or because it takes what it
    /// likes. The door answers a request that comes there all the same.
    #[cfg(feature = "axum08")]
    Answers(Arc<str>),
    /// It would be asked, and its handler would run.
    #[cfg(feature = "openapi")]
    Unknown,
}

impl PartialEq for Asking {
    fn eq(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

impl Eq for Asking {}

impl Asking {
    /// Returns the name of what answers, if the route is asked.
    pub(crate) const fn asked(&self) -> Option<&Arc<str>> {
        match self {
            #[cfg(feature = "openapi")]
            Self::Plan { plan, .. } => Some(plan),
            #[cfg(feature = "axum08")]
            Self::Door(door) => Some(door),
            _ => None,
        }
    }

    /// Returns what precedes the path in a request.
    pub(crate) const fn base(&self) -> &str {
        match self {
            #[cfg(feature = "openapi")]
            Self::Plan { base, .. } => base.as_str(),
            _ => "",
        }
    }

    /// Returns the name of what answers.
    pub(crate) const fn answers(&self) -> Option<&Arc<str>> {
        match self {
            #[cfg(feature = "axum08")]
            Self::Answers(door) => Some(door),
            _ => self.asked(),
        }
    }
}
