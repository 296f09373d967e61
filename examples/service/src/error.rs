//! What a request gets if it is refused, or if the service itself has failed.

use std::error::Error;
use std::time::Duration;

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

#[derive(Debug)]
pub(crate) enum Refused {
    /// The client is told as RFC 6749 says.
    OAuth(TokenError),
    /// The caller is told in the shape in which `tollgate` refuses: `{"detail":"…"}`.
    Api(Rejection),
    /// The caller may try again after this time.
    TooMany(Duration),
    Internal(Internal),
}

impl From<TokenError> for Refused {
    fn from(error: TokenError) -> Self {
        Self::OAuth(error)
    }
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
            Self::OAuth(error) => error.into_response(),
            Self::Api(rejection) => rejection.into_response(),
            Self::TooMany(wait) => {
                let mut response = Rejection::detail(429, "Too many requests").into_response();
                // Rounded up, so that nobody comes back too early.
                let seconds = wait.as_secs() + 1;
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                response
            }
            Self::Internal(Internal(error)) => {
                tracing::error!(%error, "the service has failed");
                Rejection::detail(500, "Internal Server Error").into_response()
            }
        }
    }
}
