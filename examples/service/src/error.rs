//! The responses to refused and failed requests.

use std::time::Duration;

use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, http::StatusCode};
use tollgate::{Rejection, token_endpoint::TokenError, verify::VerifyError};
use utoipa::ToSchema;
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder, path::Operation};

/// A failure of the service itself, such as an error of the database.
#[derive(Debug)]
pub(crate) struct Internal(pub(crate) BoxError);

pub(crate) type Result<T, E = Internal> = std::result::Result<T, E>;

impl<E: Into<BoxError>> From<E> for Internal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

// The log has the cause, and the response does not.
impl From<Internal> for Rejection {
    fn from(Internal(error): Internal) -> Self {
        tracing::error!(%error, "the service has failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Internal> for TokenError {
    fn from(Internal(error): Internal) -> Self {
        tracing::error!(%error, "the service has failed");
        Self::server_error()
    }
}

impl From<Internal> for VerifyError {
    fn from(Internal(error): Internal) -> Self {
        tracing::error!(%error, "the service has failed");
        Self::unavailable(Duration::from_secs(1))
    }
}

pub(crate) const fn bad_request(detail: &'static str) -> Rejection {
    Rejection::new(StatusCode::BAD_REQUEST).with_detail(detail)
}

/// The body of a `Rejection`, for the API description.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is only described")]
pub(crate) struct Detail {
    detail: String,
}

/// The responses to requests whose handler does not run, or fails.
const DETAILS: [(u16, &str); 6] = [
    (400, "The path, the query or the body is malformed"),
    (408, "The request took too long"),
    (413, "The body is too long"),
    (415, "The media type is not JSON"),
    (422, "A member is missing, or of another type"),
    (500, "The service has failed"),
];

/// Replaces axum's refusals, whose plain text quotes the request: it may contain a password.
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

/// Adds these responses to the description of an operation that does not describe its own.
pub(crate) fn describe(operation: &mut Operation) {
    let takes_json = matches!(&operation.request_body, Some(RefOr::T(body))
        if body.content.contains_key("application/json"));
    let may_be_malformed = takes_json || operation.parameters.is_some();
    for (status, detail) in DETAILS {
        if matches!(status, 413 | 415 | 422) && !takes_json || status == 400 && !may_be_malformed {
            continue;
        }
        let content = Content::new(Some(Ref::from_schema_name("Detail")));
        let response = ResponseBuilder::new().description(detail);
        let response = response.content("application/json", content).build();
        let responses = operation.responses.responses.entry(status.to_string());
        responses.or_insert(response.into());
    }
}
