//! The operations of a document that plans have filled, which a matrix can ask.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use http::Uri;

use crate::openapi::audit::routes_of;
use crate::openapi::location::Location;
use crate::openapi::operation::{Requirement as Added, both};
use crate::openapi::{Document, DocumentError, OperationMut};
use crate::plan::alternatives::Alternative;
use crate::routes::asking::Asking;
use crate::routes::{Requirement, Routes};
use crate::syntax::json::tree::Tree;

/// What fills each operation, by its method and its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled(BTreeMap<(String, String), Filling>);

/// What fills an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Filling {
    /// The name of its handler's plan, or `None` for what a layer requires.
    plan: Option<Arc<str>>,
    /// The alternatives with all scopes. A document of OpenAPI 3.0 has those of some schemes only.
    security: Option<Vec<Alternative>>,
}

/// The fillings of documents that utoipa has in its own types, by method, path and operation. It is
/// `None` if several would fit.
static IN_UTOIPA: Mutex<BTreeMap<[String; 3], Option<Filling>>> = Mutex::new(BTreeMap::new());

fn key(method: &str, path: &str, operation: &Tree) -> [String; 3] {
    let operation = serde_json::to_string(operation).unwrap_or_default();
    [method.to_ascii_uppercase(), path.to_owned(), operation]
}

/// Returns the plan of an operation that was filled in utoipa's types.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(super) fn recalled(method: &str, path: &str, operation: &Tree) -> Option<Arc<str>> {
    let filled = IN_UTOIPA.lock().unwrap_or_else(PoisonError::into_inner);
    filled.get(&key(method, path, operation))?.as_ref()?.plan.clone()
}

/// Notes that an operation was filled in utoipa's types, which do not say by what.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(super) fn remember(method: &str, path: &str, operation: &Tree, plan: Option<Arc<str>>) {
    let filling = Filling { plan, security: None };
    let mut filled = IN_UTOIPA.lock().unwrap_or_else(PoisonError::into_inner);
    let known = filled.entry(key(method, path, operation)).or_insert_with(|| Some(filling.clone()));
    if known.as_ref() != Some(&filling) {
        *known = None;
    }
}

impl OperationMut<'_> {
    /// Notes that the operation is filled.
    pub(super) fn note_filled(&mut self, added: &Added) -> Result<(), DocumentError> {
        if !self.place.is_route {
            return Ok(());
        }
        let written = self.security()?;
        let method = self.place.method.to_ascii_uppercase();
        for path in self.place.routes(&self.document.json) {
            let filling = self.document.filled.0.entry((method.clone(), path)).or_default();
            if let Some(plan) = &added.plan {
                filling.plan = Some(plan.as_str().into());
            }
            if !added.security.is_empty() {
                let before = filling.security.take().or_else(|| written.clone());
                filling.security = Some(both(before.unwrap_or_default(), &added.security));
            }
        }
        Ok(())
    }

    /// Returns the alternatives with all of their scopes, if the operation is filled.
    pub(super) fn filled_security(&self) -> Option<Vec<Alternative>> {
        let path = self.place.routes(&self.document.json).into_iter().next()?;
        let filled = &self.document.filled.0;
        filled.get(&(self.place.method.to_ascii_uppercase(), path))?.security.clone()
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

    /// Notes the operations that were filled before, in utoipa's types.
    #[must_use]
    pub(super) fn recall_filled(mut self) -> Self {
        for place in Location::all(&self.json).into_iter().filter(|place| place.is_route) {
            let operation =
                place.find(&mut self.json).map(|operation| Tree::Object(operation.clone()));
            let Some(operation) = operation else { continue };
            let filled = IN_UTOIPA.lock().unwrap_or_else(PoisonError::into_inner);
            let filling =
                filled.get(&key(&place.method, &place.path, &operation)).cloned().flatten();
            for path in place.routes(&self.json).into_iter().filter(|_| filling.is_some()) {
                let method = place.method.to_ascii_uppercase();
                self.filled.0.insert((method, path), filling.clone().unwrap_or_default());
            }
        }
        self
    }

    /// Returns whether a matrix asks for a route.
    pub(super) fn asking(&self, method: &str, path: &str, requirement: &Requirement) -> Asking {
        let filling = self.filled.0.get(&(method.to_owned(), path.to_owned()));
        match (requirement, filling.map(|filling| filling.plan.clone())) {
            // A public handler may have no parameter that could answer, as below `#[get]`.
            (Requirement::Public(_), _) | (_, Some(None)) => Asking::Printed,
            (_, Some(Some(plan))) => Asking::Plan { plan, base: self.base() },
            (_, None) => Asking::Unknown,
        }
    }

    /// Returns the path of the first server, which precedes those of the document.
    fn base(&self) -> String {
        let server = self.json.get("servers").and_then(Tree::as_array).and_then(<[_]>::first);
        let url = server.and_then(|server| server.get("url")).and_then(Tree::as_str);
        let path = url.and_then(|url| url.parse().ok()).map(|url: Uri| url.path().to_owned());
        path.unwrap_or_default().trim_end_matches('/').to_owned()
    }
}
