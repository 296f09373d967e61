//! The description of refusals in the service's own format.

use crate::syntax::json::tree::{Json, Object, Tree};

/// The responses of an error type of the service by status, or the schema of their body. utoipa's
/// traits say it; without them, nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct ErrorDescription {
    pub(crate) responses: Option<fn() -> Json>,
    pub(crate) schema: Option<fn() -> BodySchema>,
}

/// The schema of a body, and the schemas that it refers to: components of the document, by name.
#[derive(Debug)]
pub struct BodySchema {
    pub(crate) schema: Tree,
    pub(crate) components: Object,
}

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

    /// Returns the response with this status, with the headers of the `standard` one. Returns `None`
    /// if the service says that it has no such response.
    pub(super) fn response(self, status: &str, mut standard: Object) -> Option<Tree> {
        standard.remove("content");
        let headers = standard.remove("headers");
        let mut response = match self.responses {
            Some(responses) => responses().0.get(status)?.clone(),
            None => Tree::Object(standard),
        };
        let object = response.make_object();
        if let Some(headers) = headers {
            object.add("headers", headers);
        }
        if let Some(schema) = self.schema {
            let media_type = Tree::object([("schema", schema().schema)]);
            object.add("content", Tree::object([("application/json", media_type)]));
        }
        Some(response)
    }

    /// Adds the schemas that the responses refer to.
    pub(crate) fn add_components(self, to: &mut Object) {
        let components = self.schema.map(|schema| schema().components);
        for (name, schema) in components.iter().flat_map(Object::iter) {
            to.add(name, schema.clone());
        }
    }

    /// Adds the redirects to responses by status. A redirect to a login is a refusal too.
    pub(crate) fn add_redirects(self, to: &mut Object) {
        let responses = self.responses.map(|responses| responses().0);
        let responses = responses.map(Tree::into_object).unwrap_or_default();
        for (status, response) in responses.iter().filter(|(status, _)| status.starts_with('3')) {
            to.add(status, response.clone());
        }
    }
}
