//! The errors of a bearer scheme and their challenges
//! ([RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)).

use core::fmt;
use std::borrow::Cow;

use http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use super::challenge::is_quotable;
use crate::json::Object;
use crate::plan::security_scopes::{MissingScopes, SecurityScopes};

/// A response that refuses a token, with a `Bearer` challenge that can name the required scopes.
///
/// [`SecurityScopes`] creates one with [`invalid_token`](SecurityScopes::invalid_token),
/// [`insufficient_scope`](SecurityScopes::insufficient_scope) or
/// [`unauthorized`](SecurityScopes::unauthorized). The setters reject text that could break out of
/// a quoted string in the header.
///
/// ```
/// use tollgate::{BearerError, security_scopes};
///
/// let error = security_scopes!["items", "me"].insufficient_scope();
/// assert_eq!(error.status(), http::StatusCode::FORBIDDEN);
/// assert_eq!(error.challenge(), r#"Bearer error="insufficient_scope", scope="items me""#);
/// assert!(BearerError::invalid_token().realm("a \" b").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BearerError {
    status: StatusCode,
    error: Option<&'static str>,
    realm: Option<Cow<'static, str>>,
    scope: Cow<'static, str>,
    detail: Cow<'static, str>,
}

impl BearerError {
    const fn new(status: StatusCode, error: Option<&'static str>, detail: &'static str) -> Self {
        Self {
            status,
            error,
            realm: None,
            scope: Cow::Borrowed(""),
            detail: Cow::Borrowed(detail),
        }
    }

    /// Creates a `401` error without an error code, for a request without a token, or to hide the
    /// reason from the client.
    #[must_use]
    pub const fn unauthorized(detail: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, None, detail)
    }

    /// Creates a `400` error with the code `invalid_request`: the request is malformed.
    #[must_use]
    pub const fn invalid_request() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            Some("invalid_request"),
            "Invalid request",
        )
    }

    /// Creates a `401` error with the code `invalid_token`: the token is expired, revoked,
    /// malformed or otherwise invalid.
    #[must_use]
    pub const fn invalid_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            Some("invalid_token"),
            "Could not validate credentials",
        )
    }

    /// Creates a `403` error with the code `insufficient_scope`: the token is valid, but does not
    /// grant the required scopes.
    #[must_use]
    pub const fn insufficient_scope() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            Some("insufficient_scope"),
            "Not enough permissions",
        )
    }

    /// Sets the required scopes.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidScope`] if one of them is not a `scope-token`
    /// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).
    pub fn scopes<S: AsRef<str>>(
        mut self,
        scopes: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidScope> {
        let mut joined = String::new();
        for scope in scopes {
            if !is_scope_token(scope.as_ref()) {
                return Err(InvalidScope);
            }
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(scope.as_ref());
        }
        self.scope = Cow::Owned(joined);
        Ok(self)
    }

    /// Sets the realm that requires the token.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidRealm`] if a quoted string cannot contain the realm unescaped. A realm is
    /// visible ASCII and spaces, without `"` and `\`.
    pub fn realm(mut self, realm: impl Into<Cow<'static, str>>) -> Result<Self, InvalidRealm> {
        let realm = realm.into();
        if realm.bytes().all(is_quotable) {
            self.realm = Some(realm);
            Ok(self)
        } else {
            Err(InvalidRealm)
        }
    }

    /// Sets the text in the body, `{"detail": …}`.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Returns the status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the value of the `WWW-Authenticate` header.
    #[must_use]
    pub fn challenge(&self) -> String {
        let scope = Some(&*self.scope).filter(|scope| !scope.is_empty());
        let parameters = [
            ("realm", self.realm.as_deref()),
            ("error", self.error),
            ("scope", scope),
        ];
        let mut challenge = "Bearer".to_owned();
        for (name, value) in parameters {
            if let Some(value) = value {
                challenge.push_str(if challenge == "Bearer" { " " } else { ", " });
                challenge.extend([name, "=\"", value, "\""]);
            }
        }
        challenge
    }

    /// Converts the error into a response, with a body of any type that implements `From<String>`.
    #[must_use]
    pub fn into_http_response<B: From<String>>(self) -> Response<B> {
        let body = Object::new().text("detail", &self.detail).finish();
        let mut response = Response::new(B::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        // Every part of the challenge was checked when it was set, so this cannot fail.
        if let Ok(challenge) = HeaderValue::try_from(self.challenge()) {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

impl SecurityScopes {
    /// Creates a `401` error with the code `invalid_token` and the required scopes.
    #[must_use]
    pub fn invalid_token(self) -> BearerError {
        self.named_in(BearerError::invalid_token())
    }

    /// Creates a `403` error with the code `insufficient_scope` and the required scopes.
    #[must_use]
    pub fn insufficient_scope(self) -> BearerError {
        self.named_in(BearerError::insufficient_scope())
    }

    /// Creates a `401` error with the required scopes and without an error code, as in FastAPI's
    /// tutorial.
    #[must_use]
    pub fn unauthorized(self, detail: &'static str) -> BearerError {
        self.named_in(BearerError::unauthorized(detail))
    }

    fn named_in(self, mut error: BearerError) -> BearerError {
        error.scope = Cow::Borrowed(self.scope_str);
        error
    }
}

impl From<MissingScopes> for BearerError {
    fn from(missing: MissingScopes) -> Self {
        missing.required().insufficient_scope()
    }
}

impl From<BearerError> for Response<String> {
    fn from(error: BearerError) -> Self {
        error.into_http_response()
    }
}

impl fmt::Display for BearerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl core::error::Error for BearerError {}

/// Returns `true` if the text matches `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )`.
pub(crate) const fn is_scope_token(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        if !matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~') {
            return false;
        }
        rest = tail;
    }
    !text.is_empty()
}

/// The error for a text that is not a `scope-token`
/// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidScope;

impl fmt::Display for InvalidScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scope is visible ASCII without spaces, `\"` and `\\`")
    }
}

impl core::error::Error for InvalidScope {}

/// The error for a realm that a quoted string cannot contain unescaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidRealm;

impl fmt::Display for InvalidRealm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a realm is visible ASCII and spaces, without `\"` and `\\`")
    }
}

impl core::error::Error for InvalidRealm {}
