//! What a request gets if it is refused, or if the service itself has failed.

use std::error::Error;
use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use tollgate::Rejection;
use tollgate::token_endpoint::TokenError;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};

/// A failure of the service itself. The log says what it is, the caller does not learn it.
#[derive(Debug)]
pub(crate) struct Internal(Box<dyn Error + Send + Sync>);

impl<E: Error + Send + Sync + 'static> From<E> for Internal {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

/// `main` prints what has failed.
impl From<Internal> for Box<dyn Error> {
    fn from(Internal(error): Internal) -> Self {
        error
    }
}

/// At the endpoints for clients, a failure has their form too, which no cache keeps.
impl From<Internal> for TokenError {
    fn from(error: Internal) -> Self {
        error.log();
        Self::server_error()
    }
}

impl Internal {
    fn log(&self) {
        tracing::error!(error = %self.0, "the service has failed");
    }
}

/// What a caller of the API gets.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The caller is told in the shape in which `tollgate` refuses: `{"detail":"…"}`.
    Api(Rejection),
    /// The caller may try again after this time.
    TooMany(Duration),
    Internal(Internal),
}

impl From<Rejection> for Refused {
    fn from(rejection: Rejection) -> Self {
        Self::Api(rejection)
    }
}

impl From<Internal> for Refused {
    fn from(error: Internal) -> Self {
        Self::Internal(error)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::Api(rejection) => rejection.into_response(),
            Self::TooMany(wait) => {
                let mut response = Rejection::new(StatusCode::TOO_MANY_REQUESTS)
                    .with_detail("Too many requests")
                    .into_response();
                // Rounded up, so that nobody comes back too early.
                let seconds = wait.as_secs() + 1;
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                response
            }
            Self::Internal(error) => {
                error.log();
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// Why a request was refused.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a `Rejection` has it, and this describes it")]
pub(crate) struct Detail {
    detail: String,
}

/// What a request gets whose handler does not run, or fails.
const DETAILS: [(u16, &str); 6] = [
    (400, "The path, the query or the body is malformed"),
    (408, "The request took too long"),
    (413, "The body is too long"),
    (415, "The media type is not JSON"),
    (422, "A member is missing, or of another type"),
    (500, "The service has failed"),
];

/// Refuses in JSON where axum does in text, which repeats what was sent: it may be a password.
pub(crate) async fn in_json(response: Response) -> Response {
    let status = response.status();
    let content_type = response.headers().get(CONTENT_TYPE);
    let is_json = content_type.is_some_and(|value| value == "application/json");
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut head, _) = response.into_parts();
    head.headers.remove(CONTENT_TYPE);
    head.headers.remove(CONTENT_LENGTH);
    let known = DETAILS.iter().find(|(known, _)| *known == status);
    let detail = known.map_or(status.canonical_reason(), |(_, detail)| Some(detail));
    let rejection = Rejection::new(status).with_detail(detail.unwrap_or_default());
    (head, rejection).into_response()
}

/// Describes what an operation answers besides what it says itself.
pub(crate) fn describe(operation: &mut Operation) {
    let takes_json = matches!(&operation.request_body, Some(RefOr::T(body))
        if body.content.contains_key("application/json"));
    let happens = |status| match status {
        400 => takes_json || operation.parameters.is_some(),
        413 | 415 | 422 => takes_json,
        _ => true,
    };
    for (status, detail) in DETAILS.into_iter().filter(|(status, _)| happens(*status)) {
        let content = Content::new(Some(Ref::from_schema_name("Detail")));
        let response = ResponseBuilder::new().description(detail);
        let response = response.content("application/json", content).build();
        let responses = operation.responses.responses.entry(status.to_string());
        responses.or_insert(response.into());
    }
}
