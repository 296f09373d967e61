//! The description of refusals in the service's own format.

use crate::json::tree::{Object, Tree};
use crate::openapi::scheme::{challenge_header, described};
use crate::refusal::own_error_data::OwnErrorData;
use crate::refusal::rejection::Rejection;

/// Returns the response to a request that is refused in the service's own format, in place of this
/// rejection. Returns `None` if the service says that it has no response with this status.
pub(super) fn response(error: OwnErrorData, rejection: &Rejection) -> Option<Tree> {
    let mut response = match error.description.responses {
        Some(responses) => responses().0.get(rejection.status().as_str())?.clone(),
        None => described(rejection.status()),
    };
    let object = response.make_object();
    if error.has_challenge && rejection.has_challenge() {
        object.add("headers", challenge_header());
    }
    if let Some(schema) = error.description.schema {
        let media_type = Tree::object([("schema", schema().schema)]);
        object.add("content", Tree::object([("application/json", media_type)]));
    }
    Some(response)
}

/// Adds the schemas that the responses of an error type refer to.
pub(super) fn add_components(error: OwnErrorData, to: &mut Object) {
    let components = error.description.schema.map(|schema| schema().components);
    for (name, schema) in components.iter().flat_map(Object::iter) {
        to.add(name, schema.clone());
    }
}

/// Adds the redirects of an error type to responses by status. A redirect to a login is a refusal
/// too.
pub(super) fn add_redirects(error: OwnErrorData, to: &mut Object) {
    let responses = error.description.responses.map(|responses| responses().0);
    let responses = responses.map(Tree::into_object).unwrap_or_default();
    for (status, response) in responses.iter().filter(|(status, _)| status.starts_with('3')) {
        to.add(status, response.clone());
    }
}
