//! The errors of the token endpoint
//! ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).

use core::fmt;
use core::time::Duration;
use std::borrow::Cow;

use http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use crate::form::error::{Fault, FormError};
use crate::refusal::unread_body::announce_close;
use crate::syntax::grammar::described;
use crate::syntax::json::ObjectWriter;
use crate::token_endpoint::response::respond;

/// The response to a token request that is refused.
///
/// ```
/// use doorward::token_endpoint::TokenError;
///
/// let response: http::Response<String> = TokenError::invalid_grant("wrong password").into();
/// assert_eq!(response.status(), 400);
/// assert_eq!(response.body(), r#"{"error":"invalid_grant","error_description":"wrong password"}"#);
/// assert_eq!(response.headers()["cache-control"], "no-store");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenError {
    status: StatusCode,
    code: &'static str,
    description: Cow<'static, str>,
    uri: Option<Cow<'static, str>>,
    /// The faults of the form, if it is one that is refused.
    faults: Vec<Fault>,
    has_challenge: bool,
    /// The seconds in `Retry-After`.
    retry_after: Option<u64>,
    /// Whether the response says that the server closes the connection.
    closes: bool,
}

/// Creates an error by its code, and lists the codes.
macro_rules! codes {
    ($($(#[$docs:meta])* $code:ident($($parameter:tt)*) $description:expr;)*) => {
        #[cfg(feature = "openapi")]
        pub(crate) const CODES: &[&str] =
            &[$(stringify!($code),)* TEMPORARILY_UNAVAILABLE, SERVER_ERROR];

        $(
            $(#[$docs])*
            #[must_use]
            pub const fn $code($($parameter)*) -> Self {
                Self::new(stringify!($code), $description)
            }
        )*
    };
}

const TEMPORARILY_UNAVAILABLE: &str = "temporarily_unavailable";
const SERVER_ERROR: &str = "server_error";

impl TokenError {
    const fn new(code: &'static str, description: &'static str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            code,
            description: Cow::Borrowed(description),
            uri: None,
            faults: Vec::new(),
            has_challenge: false,
            retry_after: None,
            closes: false,
        }
    }

    codes! {
        /// Creates an `invalid_request` error: a parameter is missing, repeated or malformed, or
        /// the client sends its credentials twice.
        invalid_request(description: &'static str) description;
        /// Creates an `invalid_client` error: the client is missing or unknown, or its secret is
        /// wrong.
        ///
        /// For a client that has sent its credentials,
        /// [`Client::invalid_client`](crate::token_endpoint::Client::invalid_client) knows whether
        /// the response needs a challenge.
        invalid_client() "client authentication failed";
        /// Creates an `invalid_grant` error: the user's password, a code or a refresh token is
        /// wrong, expired or revoked.
        invalid_grant(description: &'static str) description;
        /// Creates an `unauthorized_client` error: the client is not allowed to use this grant.
        unauthorized_client(description: &'static str) description;
        /// Creates an `unsupported_grant_type` error: the server does not support this grant.
        unsupported_grant_type(description: &'static str) description;
        /// Creates an `invalid_scope` error: a scope is unknown, malformed, or more than the user
        /// grants.
        invalid_scope(description: &'static str) description;
        /// Creates an `invalid_target` error: a `resource` or an `audience` is unknown, malformed
        /// or not allowed ([RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2),
        /// [RFC 8693, 2.2.2](https://www.rfc-editor.org/rfc/rfc8693#section-2.2.2)).
        invalid_target(description: &'static str) description;
        /// Creates an `authorization_pending` error: the user of a device has not decided yet, and
        /// the client asks again later
        /// ([RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5)).
        authorization_pending() "the user has not decided yet";
        /// Creates a `slow_down` error: like `authorization_pending`, and from now on the client
        /// waits 5 seconds longer between its requests
        /// ([RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5)).
        slow_down() "the requests are too frequent";
        /// Creates an `access_denied` error: the user of a device has refused
        /// ([RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5)).
        access_denied(description: &'static str) description;
        /// Creates an `expired_token` error: the code of a device has expired
        /// ([RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5)).
        expired_token(description: &'static str) description;
        /// Creates an `unsupported_token_type` error: the revocation endpoint does not revoke
        /// tokens of this kind
        /// ([RFC 7009, 2.2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.2.1)).
        unsupported_token_type(description: &'static str) description;
    }

    /// Creates an `invalid_client` error with the status `401` and a challenge for HTTP Basic,
    /// which a client gets that used the header
    /// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    #[must_use]
    pub const fn invalid_client_with_challenge() -> Self {
        let mut error = Self::invalid_client();
        error.status = StatusCode::UNAUTHORIZED;
        error.has_challenge = true;
        error
    }

    /// Creates an error for a client that asks too often: `429` with the time to wait in
    /// `Retry-After`, in whole seconds, rounded up.
    ///
    /// The code is `temporarily_unavailable`, which clients know from
    /// [RFC 6749, 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1). The token
    /// endpoint defines none for this.
    #[must_use]
    pub const fn too_many_requests(retry_after: Duration) -> Self {
        let mut error = Self::new(TEMPORARILY_UNAVAILABLE, "too many requests");
        error.status = StatusCode::TOO_MANY_REQUESTS;
        let seconds = retry_after.as_secs();
        let is_whole = retry_after.subsec_nanos() == 0;
        error.retry_after = Some(if is_whole { seconds } else { seconds.saturating_add(1) });
        error
    }

    /// Creates an error for a failure of the server itself: `500` with the code `server_error`,
    /// which clients know from
    /// [RFC 6749, 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1).
    #[must_use]
    pub const fn server_error() -> Self {
        let mut error = Self::new(SERVER_ERROR, "the server has failed");
        error.status = StatusCode::INTERNAL_SERVER_ERROR;
        error
    }

    /// Sets the description, for the developer of the client. A character that is not allowed in
    /// the field becomes `?`.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the URI of a page about the error. A character that is not allowed in a URI is
    /// percent-encoded.
    #[must_use]
    pub fn with_uri(mut self, uri: impl Into<Cow<'static, str>>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Returns the status of the response: `401` if a client that used the header is not
    /// authenticated, `413` for a form over its limit, `429` for `too_many_requests`, `500` for
    /// `server_error`, `400` otherwise.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the error code, such as `"invalid_request"`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the description, for the developer of the client.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the faults of the form, if the request is refused because of them.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns the value of the `WWW-Authenticate` header.
    #[must_use]
    pub const fn challenge(&self) -> Option<Cow<'static, str>> {
        match self.has_challenge {
            true => Some(Cow::Borrowed(CHALLENGE)),
            false => None,
        }
    }

    /// Converts the error into a response that no cache stores, with a body of any type that is
    /// made from text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        let uri = self.uri.as_deref().map(encoded);
        let body = ObjectWriter::new()
            .text("error", self.code)
            .text("error_description", &described(self.description))
            .optional_text("error_uri", uri.as_deref());
        let mut response = respond(body);
        *response.status_mut() = self.status;
        if self.has_challenge {
            let challenge = HeaderValue::from_static(CHALLENGE);
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if self.closes {
            announce_close(response.headers_mut());
        }
        response
    }
}

/// The challenge for a client that used the header.
const CHALLENGE: &str = r#"Basic realm="token", charset="UTF-8""#;

/// Percent-encodes what an `error_uri` does not allow
/// ([RFC 3986, 2.1](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)).
fn encoded(uri: &str) -> String {
    let encode = |byte| match byte {
        b'!' | b'#'..=b'[' | b']'..=b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    uri.bytes().map(encode).collect()
}

/// Describes the faults of the form, and keeps the status of its error.
impl FormError {
    /// Converts the error into the default response, with a body of any type that is made from
    /// text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        TokenError::from(self).into_http_response()
    }
}

impl From<FormError> for TokenError {
    fn from(error: FormError) -> Self {
        Self {
            status: error.status(),
            closes: error.closes(),
            faults: error.faults().to_vec(),
            ..Self::new(error.code(), "").with_description(error.to_string())
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, described(self.description.clone()))
    }
}

impl core::error::Error for TokenError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_keeps_to_its_characters() {
        const TEXT: &str = "no \"items\" \\ \u{e9}\n";
        for error in
            [TokenError::invalid_scope(TEXT), TokenError::invalid_scope("").with_description(TEXT)]
        {
            assert_eq!(error.to_string(), "invalid_scope: no ?items? ? ??");
            let response: Response<String> = error.into();
            assert!(response.body().contains(r#""no ?items? ? ??""#));
        }
    }

    #[test]
    fn only_a_client_that_used_the_header_is_challenged() {
        for (error, status, challenge) in [
            (TokenError::invalid_client(), 400, None),
            (TokenError::invalid_client_with_challenge(), 401, Some(CHALLENGE)),
        ] {
            assert_eq!(error.challenge().as_deref(), challenge);
            let response: Response<String> = error.into();
            assert_eq!(response.status(), status);
            let sent = response.headers().get(WWW_AUTHENTICATE);
            assert_eq!(sent.map(HeaderValue::as_bytes), challenge.map(str::as_bytes));
        }
    }

    #[test]
    fn an_address_is_given_where_there_is_one() {
        for (uri, sent) in [
            ("https://example.com/clients", "https://example.com/clients"),
            ("/a b?\"=é\\%20", "/a%20b?%22=%C3%A9%5C%20"),
        ] {
            let error = TokenError::unauthorized_client("no").with_uri(uri);
            let response: Response<String> = error.into();
            assert_eq!(
                *response.body(),
                format!(
                    r#"{{"error":"unauthorized_client","error_description":"no","error_uri":"{sent}"}}"#
                )
            );
        }
    }

    #[test]
    fn a_client_is_told_how_long_to_wait() {
        for (wait, seconds) in [
            (Duration::ZERO, "0"),
            (Duration::from_millis(1), "1"),
            (Duration::from_secs(60), "60"),
            (Duration::from_millis(60_001), "61"),
        ] {
            let error = TokenError::too_many_requests(wait);
            let response: Response<String> = error.into();
            assert_eq!(response.status(), 429);
            assert_eq!(response.headers()[RETRY_AFTER], seconds);
            assert!(response.body().contains(r#""error":"temporarily_unavailable""#));
        }
        let response: Response<String> = TokenError::server_error().into();
        assert_eq!(response.status(), 500);
        assert!(response.body().contains(r#""error":"server_error""#));
        assert!(!response.headers().contains_key(RETRY_AFTER));
    }

    #[test]
    fn a_fault_of_a_form_keeps_its_status() {
        for (error, status, code) in [
            (FormError::body_too_large(), 413, "invalid_request"),
            (FormError::incomplete_body(), 400, "invalid_request"),
        ] {
            let error = TokenError::from(error);
            assert_eq!((error.status().as_u16(), error.code()), (status, code));
            let response: Response<String> = error.into();
            assert_eq!(response.status(), status);
        }
    }
}
