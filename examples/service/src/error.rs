//! The responses to refused and failed requests.

use std::time::Duration;

use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, http::StatusCode};
use doorward::{Rejection, token_endpoint::TokenError, verify::VerifyError};
use utoipa::ToSchema;
use utoipa::openapi::{Content, Ref, ResponseBuilder, path::Operation};

/// A failure of the service itself, such as an error of the database.
#[derive(Debug)]
pub(crate) struct Internal(pub(crate) BoxError);

pub(crate) type Result<T, E = Internal> = std::result::Result<T, E>;

impl<E: Into<BoxError>> From<E> for Internal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl Internal {
    /// Logs the cause, which the response does not have. Returns `true` if the database or Valkey
    /// has failed: then a caller may come again.
    fn is_outage(&self) -> bool {
        let Self(error) = self;
        let is_of_valkey = error.is::<redis::RedisError>();
        let what = if is_of_valkey { "Valkey is unreachable" } else { "the service has failed" };
        tracing::error!(%error, "{what}");
        is_of_valkey
            || error.downcast_ref().is_some_and(|error: &sqlx::Error| {
                let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
                // These say that the query is wrong, which will not be over soon.
                !code.is_some_and(|code| code == "1" || code.starts_with("42"))
            })
    }
}

/// When a caller may come again after an outage, or while others wait.
pub(crate) const SOON: Duration = Duration::from_secs(1);
const OUTAGE: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE).with_headers(&[("retry-after", "1")]);

impl From<Internal> for Rejection {
    fn from(error: Internal) -> Self {
        if error.is_outage() { OUTAGE } else { Self::new(StatusCode::INTERNAL_SERVER_ERROR) }
    }
}

impl From<Internal> for VerifyError {
    fn from(error: Internal) -> Self {
        error.is_outage();
        Self::unavailable(SOON)
    }
}

/// The response of an endpoint for clients. `TokenError` has no status for an outage.
impl IntoResponse for Internal {
    fn into_response(self) -> Response {
        if !self.is_outage() {
            return TokenError::server_error().into_response();
        }
        let error = TokenError::too_many_requests(SOON).with_description("try again");
        (StatusCode::SERVICE_UNAVAILABLE, error).into_response()
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
    let detail = status.canonical_reason().unwrap_or_default();
    (head, Rejection::new(status).with_detail(detail)).into_response()
}

/// Describes the responses to requests whose handler does not run, or fails.
pub(crate) fn describe(operation: &mut Operation) {
    let content = Content::new(Some(Ref::from_schema_name("Detail")));
    let response = ResponseBuilder::new().description("The request is refused, or has failed");
    let response = response.content("application/json", content).build();
    operation.responses.responses.insert("default".to_owned(), response.into());
}
