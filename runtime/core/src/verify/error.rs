//! Refusals of tokens: the reason, and the response to the caller.

use core::fmt;
use core::time::Duration;
use std::borrow::Cow;

use http::header::RETRY_AFTER;
use http::{Response, StatusCode};

use crate::credential::reason::RejectionReason;
use crate::plan::security_scopes::{MissingScopes, SecurityScopes};
use crate::refusal::bearer_error::BearerError;
use crate::refusal::own_error::StandardRefusal;
use crate::refusal::rejection::Rejection;
use crate::trace;

/// A response that refuses a token, or says that it cannot be verified now.
///
/// The response never says which check a token has failed. The feature `tracing` records it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyError(Answer);

#[derive(Clone, PartialEq, Eq)]
enum Answer {
    Refused(RejectionReason, BearerError),
    Unavailable(Duration),
    Misconfigured,
}

impl VerifyError {
    /// Refuses an invalid token, with the challenge of the scheme.
    #[must_use]
    pub fn invalid_token(scopes: SecurityScopes) -> Self {
        Self(Answer::Refused(RejectionReason::Invalid, scopes.invalid_token()))
    }

    /// Refuses an expired token, with the same response. Only the reason differs.
    #[must_use]
    pub fn expired_token(scopes: SecurityScopes) -> Self {
        Self(Answer::Refused(RejectionReason::Expired, scopes.invalid_token()))
    }

    /// Refuses a token that lacks scopes.
    #[doc(hidden)]
    #[must_use]
    pub fn insufficient_scope(missing: MissingScopes) -> Self {
        Self(Answer::Refused(RejectionReason::InsufficientScope, missing.into()))
    }

    /// Puts the error into the challenge of `DPoP`, for a token that came so: about its proof, or as
    /// it was.
    #[doc(hidden)]
    #[must_use]
    pub fn of_dpop(mut self, is_of_proof: bool) -> Self {
        if let Answer::Refused(_, error) = &mut self.0 {
            error.put_into_dpop(is_of_proof);
        }
        self
    }

    /// Reports that tokens cannot be verified for this long.
    #[must_use]
    pub const fn unavailable(retry_after: Duration) -> Self {
        Self(Answer::Unavailable(retry_after))
    }

    /// Reports that the service itself is at fault. The response is a bare `500`, so log what is
    /// wrong.
    #[must_use]
    pub const fn misconfigured() -> Self {
        Self(Answer::Misconfigured)
    }

    /// Returns the reason for the refusal: `Invalid` or `Expired` (`401`), `InsufficientScope`
    /// (`403`), `Unavailable` (`503`) or `Misconfigured` (`500`).
    #[must_use]
    pub const fn reason(&self) -> RejectionReason {
        match self.0 {
            Answer::Refused(reason, _) => reason,
            Answer::Unavailable(_) => RejectionReason::Unavailable,
            Answer::Misconfigured => RejectionReason::Misconfigured,
        }
    }

    /// Returns the status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match &self.0 {
            Answer::Refused(_, error) => error.status(),
            Answer::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Answer::Misconfigured => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the value of the `WWW-Authenticate` header. Below a scheme with `dpop`, a `401` has a
    /// second one, and this is the one with the error.
    #[must_use]
    pub fn challenge(&self) -> Option<Cow<'static, str>> {
        match &self.0 {
            Answer::Refused(_, error) => error.challenge(),
            Answer::Unavailable(_) | Answer::Misconfigured => None,
        }
    }

    /// Converts the error into a response, with a body of any type that is made from text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        match self.0 {
            Answer::Refused(_, error) => error.into_http_response(),
            Answer::Unavailable(retry_after) => {
                let mut response = Rejection::new(StatusCode::SERVICE_UNAVAILABLE)
                    .with_detail("Service Unavailable")
                    .into_http_response();
                // Rounded up, so a client does not come back too early.
                let part = u64::from(retry_after.subsec_nanos() > 0);
                let seconds = retry_after.as_secs().saturating_add(part).max(1);
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                response
            }
            Answer::Misconfigured => Rejection::INTERNAL_SERVER_ERROR.into_http_response(),
        }
    }
}

impl From<MissingScopes> for VerifyError {
    fn from(missing: MissingScopes) -> Self {
        trace::token_lacks_scopes(missing.required().scope_str());
        Self::insufficient_scope(missing)
    }
}

impl From<VerifyError> for StandardRefusal {
    fn from(error: VerifyError) -> Self {
        Self::new(error.reason(), error.into())
    }
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyError").field(&self.reason()).finish()
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason() {
            RejectionReason::Expired => "the token has expired",
            RejectionReason::InsufficientScope => "the token does not grant the required scopes",
            RejectionReason::Unavailable => "tokens cannot be verified now",
            RejectionReason::Misconfigured => "the service cannot verify tokens",
            _ => "the token is not valid",
        })
    }
}

impl core::error::Error for VerifyError {}
