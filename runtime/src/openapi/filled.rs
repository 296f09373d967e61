//! The operations of a document that plans have filled, which a matrix can ask.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::tree::Tree;
use crate::openapi::audit::routes_of;
use crate::openapi::location::Location;
use crate::openapi::{Document, DocumentError};
use crate::routes::{Requirement, Routes};
use crate::testing::callers::Asking;

/// The method and the path of each operation that is filled, with the name of its handler's plan. It
/// is `None` for what a layer requires.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled(BTreeMap<(String, String), Option<Arc<str>>>);

impl Filled {
    /// Notes that an operation was filled.
    pub(super) fn add(&mut self, root: &Tree, place: &Location, plan: Option<&str>) {
        if !place.is_route {
            return;
        }
        for path in place.routes(root) {
            let of_handler = self.0.entry((place.method.to_ascii_uppercase(), path)).or_default();
            if let Some(plan) = plan {
                *of_handler = Some(plan.into());
            }
        }
    }
}

impl Document {
    /// Returns the table of routes, as [`audit`](crate::openapi::audit) does, for
    /// [`Routes::asked_by`]: a matrix asks for each operation that the plan of a handler has filled.
    /// A finished document does not say which these are, so call this on the document itself.
    ///
    /// # Errors
    ///
    /// Returns an error if a `security` in the document cannot be read.
    pub fn routes(&self) -> Result<Routes, DocumentError> {
        routes_of(&mut self.clone())
    }

    /// Returns whether a matrix asks for a route.
    pub(super) fn asking(&self, method: &str, path: &str, requirement: &Requirement) -> Asking {
        match (requirement, self.filled.0.get(&(method.to_owned(), path.to_owned()))) {
            // A public handler may have no parameter that could answer, as below `#[get]`.
            (Requirement::Public(_), _) | (_, Some(None)) => Asking::Printed,
            (_, Some(Some(plan))) => Asking::Plan(plan.clone()),
            (_, None) => Asking::Unknown,
        }
    }
}
