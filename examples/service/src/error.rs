//! What a request gets if it is refused, or if the service itself has failed.

use std::error::Error;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use tollgate::{Rejection, TokenError};

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

/// The error of `axum` repeats what was sent, and that may be a password. This one does not.
impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        let status = rejection.status().as_u16();
        let detail = match status {
            413 => "The body is too long",
            415 => "The media type is not JSON",
            422 => "A member is missing, or of another type",
            _ => "The body is not JSON",
        };
        Rejection::detail(status, detail).into()
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
                let mut response = Rejection::detail(429, "Too many requests").into_response();
                // Rounded up, so that nobody comes back too early.
                let seconds = wait.as_secs() + 1;
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                response
            }
            Self::Internal(error) => {
                error.log();
                Rejection::detail(500, "Internal Server Error").into_response()
            }
        }
    }
}
