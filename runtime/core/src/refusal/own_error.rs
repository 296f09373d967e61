//! The refusal of a request, from which a service creates its own error.

pub(crate) mod data;
#[cfg(feature = "openapi")]
pub(crate) mod description;

use core::fmt;
use std::borrow::Cow;

use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, Response, StatusCode};

use crate::credential::reason::RejectionReason;
use crate::refusal::rejection::Rejection;
use crate::refusal::status::refuses_credential;

/// A request that a scheme, or its verifier, refuses: what an error type of the service is made
/// from, if the scheme names one with `error = ApiError`.
///
/// ```
/// use axum::response::{IntoResponse, Response};
/// use doorward::http_bearer;
/// use doorward::scheme::RefusedRequest;
///
/// struct ApiError(http::StatusCode, String);
///
/// impl From<RefusedRequest> for ApiError {
///     fn from(refusal: RefusedRequest) -> Self {
///         let trace = refusal.head().headers.get("x-trace");
///         let trace = trace.and_then(|trace| trace.to_str().ok()).unwrap_or_default();
///         Self(refusal.status(), format!("{} {trace}", refusal.reason().as_str()))
///     }
/// }
///
/// impl IntoResponse for ApiError {
///     fn into_response(self) -> Response {
///         (self.0, self.1).into_response()
///     }
/// }
///
/// #[http_bearer(error = ApiError)]
/// struct Api;
/// ```
///
/// A response with an error status gets the `WWW-Authenticate` and the `Retry-After` that the
/// refusal has, unless it sets them itself. `challenge = false` on the scheme leaves out the
/// challenge, for a site whose users log in on a page
/// ([RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1) asks for one). A
/// redirect is a refusal too, and a response of success becomes a `500`.
pub struct RefusedRequest {
    reason: RejectionReason,
    head: Parts,
    response: Response<String>,
}

impl RefusedRequest {
    /// Creates the refusal of the request with this head. `response` is the one that is sent if the
    /// service has none.
    pub(crate) fn new(standard: StandardRefusal, head: Parts) -> Self {
        let StandardRefusal { reason, response } = standard;
        Self { reason, head, response }
    }

    /// Returns the reason.
    #[must_use]
    pub const fn reason(&self) -> RejectionReason {
        self.reason
    }

    /// Returns the status that fits: `401`, `403`, `503`, …
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// Returns the complete challenge, the value of the `WWW-Authenticate` header. Several
    /// challenges are joined by commas here, and each has its own line in the response.
    #[must_use]
    pub fn challenge(&self) -> Option<Cow<'static, str>> {
        let lines = self.response.headers().get_all(WWW_AUTHENTICATE);
        let lines = lines.iter().filter_map(|line| line.to_str().ok());
        let lines: Vec<_> = lines.collect();
        (!lines.is_empty()).then(|| lines.join(", ").into())
    }

    /// Returns the code with which a WebSocket is closed: 3000 (unauthorized) if the credential is
    /// refused, 3003 (forbidden) if the caller may not, 1013 (try again later) for a `503`, and 1011
    /// if the service is at fault
    /// ([IANA](https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number)).
    #[must_use]
    pub fn close_code(&self) -> u16 {
        match self.status().as_u16() {
            503 => 1013,
            500.. => 1011,
            status if refuses_credential(status) => 3000,
            _ => 3003,
        }
    }

    /// Returns the head of the request. Its target is the one that the client sent, also where a
    /// nested router sees the rest only.
    #[must_use]
    pub const fn head(&self) -> &Parts {
        &self.head
    }

    /// Converts the refusal into the response that is sent without an error type of the service.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        self.response.map(B::from)
    }
}

/// Shows nothing of the request, whose headers contain secrets.
impl fmt::Debug for RefusedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefusedRequest")
            .field("reason", &self.reason)
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

/// An error that a service makes from the refusal of a request.
///
/// `impl From<RefusedRequest>` is the usual way. Implement this trait instead for an error that has
/// to wait for something, such as a page with texts from a database.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made from a refusal",
    label = "the scheme answers with this type",
    note = "write `impl From<doorward::scheme::RefusedRequest> for {Self}`"
)]
pub trait FromRefusal: Sized {
    /// Creates the error.
    fn from_refusal(refusal: RefusedRequest) -> impl Future<Output = Self> + Send;
}

#[diagnostic::do_not_recommend]
impl<E: From<RefusedRequest>> FromRefusal for E {
    // Not `ready`, whose future would have the error, and be `Send` only with it.
    async fn from_refusal(refusal: RefusedRequest) -> Self {
        refusal.into()
    }
}

/// A refusal without its request: the reason, and the response that is sent if the service has
/// none.
pub(crate) struct StandardRefusal {
    reason: RejectionReason,
    response: Response<String>,
}

impl StandardRefusal {
    pub(crate) const fn new(reason: RejectionReason, response: Response<String>) -> Self {
        Self { reason, response }
    }

    pub(crate) const fn reason(&self) -> RejectionReason {
        self.reason
    }

    /// Returns the headers for the service's own response. `has_challenge` is `false` if it gets no
    /// challenge.
    pub(crate) fn headers(&self, has_challenge: bool) -> HeaderMap {
        let names: &[HeaderName] = match has_challenge {
            true => &[RETRY_AFTER, WWW_AUTHENTICATE],
            false => &[RETRY_AFTER],
        };
        let mut headers = HeaderMap::new();
        for name in names {
            for value in self.response.headers().get_all(name) {
                headers.append(name, value.clone());
            }
        }
        headers
    }
}

impl From<Rejection> for StandardRefusal {
    fn from(rejection: Rejection) -> Self {
        Self { reason: rejection.reason_or_status(), response: rejection.into() }
    }
}
