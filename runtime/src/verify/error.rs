//! Why a token is refused, and what the caller is told.

use core::fmt;
use core::time::Duration;
use std::borrow::Cow;

use http::header::RETRY_AFTER;
use http::{Response, StatusCode};

use crate::plan::security_scopes::{MissingScopes, SecurityScopes};
use crate::refusal::bearer_error::BearerError;
use crate::refusal::rejection::Rejection;
use crate::trace;

/// A response that refuses a token, or says that it cannot be verified now.
///
/// A caller never learns which check a token has failed. The feature `tracing` records it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyError(Refusal);

#[derive(Clone, PartialEq, Eq)]
enum Refusal {
    InvalidToken(BearerError),
    InsufficientScope(BearerError),
    Unavailable(Duration),
    Misconfigured,
}

/// The kind of a [`VerifyError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyErrorKind {
    /// The token is not valid: `401`.
    InvalidToken,
    /// The token does not grant the required scopes: `403`.
    InsufficientScope,
    /// No keys are known, or they are too old, and the issuer cannot be reached: `503`.
    Unavailable,
    /// The service itself is at fault: `500`. The log says what to do.
    Misconfigured,
}

impl VerifyError {
    /// Refuses an invalid token, with the challenge of the scheme.
    #[must_use]
    pub fn invalid_token(scopes: SecurityScopes) -> Self {
        Self(Refusal::InvalidToken(scopes.invalid_token()))
    }

    /// Says that tokens cannot be verified for this long.
    #[must_use]
    pub const fn unavailable(retry_after: Duration) -> Self {
        Self(Refusal::Unavailable(retry_after))
    }

    /// Says that the service itself is at fault: the response is a bare `500`, so log what is
    /// wrong.
    #[must_use]
    pub const fn misconfigured() -> Self {
        Self(Refusal::Misconfigured)
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> VerifyErrorKind {
        match self.0 {
            Refusal::InvalidToken(_) => VerifyErrorKind::InvalidToken,
            Refusal::InsufficientScope(_) => VerifyErrorKind::InsufficientScope,
            Refusal::Unavailable(_) => VerifyErrorKind::Unavailable,
            Refusal::Misconfigured => VerifyErrorKind::Misconfigured,
        }
    }

    /// Returns the status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match &self.0 {
            Refusal::InvalidToken(error) | Refusal::InsufficientScope(error) => error.status(),
            Refusal::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Misconfigured => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the value of the `WWW-Authenticate` header.
    #[must_use]
    pub fn challenge(&self) -> Option<Cow<'static, str>> {
        match &self.0 {
            Refusal::InvalidToken(error) | Refusal::InsufficientScope(error) => error.challenge(),
            Refusal::Unavailable(_) | Refusal::Misconfigured => None,
        }
    }

    /// Converts the error into a response, with a body of any type that is made from text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        match self.0 {
            Refusal::InvalidToken(error) | Refusal::InsufficientScope(error) => {
                error.into_http_response()
            }
            Refusal::Unavailable(retry_after) => {
                let mut response = Rejection::new(StatusCode::SERVICE_UNAVAILABLE)
                    .with_detail("Service Unavailable")
                    .into_http_response();
                // Rounded up, so a client does not come back too early.
                let part = u64::from(retry_after.subsec_nanos() > 0);
                let seconds = retry_after.as_secs().saturating_add(part).max(1);
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                response
            }
            Refusal::Misconfigured => Rejection::INTERNAL_SERVER_ERROR.into_http_response(),
        }
    }
}

impl From<MissingScopes> for VerifyError {
    fn from(missing: MissingScopes) -> Self {
        trace::token_refused("the token does not grant the required scopes");
        Self(Refusal::InsufficientScope(missing.into()))
    }
}

impl From<VerifyError> for Response<String> {
    fn from(error: VerifyError) -> Self {
        error.into_http_response()
    }
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyError").field(&self.kind()).finish()
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind() {
            VerifyErrorKind::InvalidToken => "the token is not valid",
            VerifyErrorKind::InsufficientScope => "the token does not grant the required scopes",
            VerifyErrorKind::Unavailable => "tokens cannot be verified now",
            VerifyErrorKind::Misconfigured => "the service cannot verify tokens",
        })
    }
}

impl core::error::Error for VerifyError {}
