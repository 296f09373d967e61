//! The description of refusals in the service's own format.

use crate::json::tree::{Json, Object, Tree};
use crate::openapi::scheme::{challenge_header, described};
use crate::refusal::own_error::OwnErrorData;
use crate::refusal::rejection::Rejection;

/// The responses of an error type of the service by status, or the schema of their body. utoipa's
/// traits say it; without them, nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct ErrorDescription {
    responses: Option<fn() -> Json>,
    schema: Option<fn() -> Json>,
}

impl ErrorDescription {
    /// The description of an error type about which nothing is known.
    pub const NOTHING: Self = Self {
        responses: None,
        schema: None,
    };

    /// Creates a description.
    #[must_use]
    pub const fn new(responses: Option<fn() -> Json>, schema: Option<fn() -> Json>) -> Self {
        Self { responses, schema }
    }
}

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
        let media_type = Tree::object([("schema", schema().0)]);
        object.add("content", Tree::object([("application/json", media_type)]));
    }
    Some(response)
}

/// Adds the redirects of an error type to responses by status. A redirect to a login is a refusal
/// too.
pub(super) fn add_redirects(error: OwnErrorData, to: &mut Object) {
    let responses = error.description.responses.map(|responses| responses().0);
    let responses = responses.map(Tree::into_object).unwrap_or_default();
    for (status, response) in responses
        .iter()
        .filter(|(status, _)| status.starts_with('3'))
    {
        to.add(status, response.clone());
    }
}

/// The traits of utoipa, asked about a type.
#[cfg(feature = "utoipa6")]
pub(crate) mod of_utoipa {
    use core::marker::PhantomData;

    use utoipa::{IntoResponses, ToSchema};

    use crate::json::tree::{Json, Tree};

    /// The responses of a type: `<ResponsesOf<T>>::RESPONSES`.
    #[derive(Debug)]
    pub struct ResponsesOf<T>(PhantomData<T>);

    /// The responses of any other type.
    pub trait AnyResponses {
        /// The responses by status.
        const RESPONSES: Option<fn() -> Json> = None;
    }

    impl<T> AnyResponses for ResponsesOf<T> {}

    impl<T: IntoResponses> ResponsesOf<T> {
        /// The responses by status.
        pub const RESPONSES: Option<fn() -> Json> =
            Some(|| Json(Tree::of(&T::responses()).unwrap_or(Tree::Null)));
    }

    /// The schema of a type: `<SchemaOf<T>>::SCHEMA`.
    #[derive(Debug)]
    pub struct SchemaOf<T>(PhantomData<T>);

    /// The schema of any other type.
    pub trait AnySchema {
        /// The schema.
        const SCHEMA: Option<fn() -> Json> = None;
    }

    impl<T> AnySchema for SchemaOf<T> {}

    impl<T: ToSchema> SchemaOf<T> {
        /// The schema.
        pub const SCHEMA: Option<fn() -> Json> =
            Some(|| Json(Tree::of(&T::schema()).unwrap_or(Tree::Bool(true))));
    }
}
