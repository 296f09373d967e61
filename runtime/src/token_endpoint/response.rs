//! The successful responses of the token endpoint
//! ([RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)).

use core::time::Duration;

use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, PRAGMA};
use secrecy::{ExposeSecret, SecretString};

use crate::json::Object;

/// The response that gives a client its token.
///
/// `Debug` does not show the tokens. Only the HTTP response contains them.
///
/// ```
/// use std::time::Duration;
/// use tollgate::TokenResponse;
///
/// let answer = TokenResponse::bearer("2YotnFZFEjr1zCsicMWpAA")
///     .expires_in(Duration::from_secs(3600))
///     .scope(["items", "me"]);
/// let response: http::Response<String> = answer.into();
/// assert_eq!(
///     response.body(),
///     r#"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"bearer","expires_in":3600,"scope":"items me"}"#
/// );
/// assert_eq!(response.headers()["cache-control"], "no-store");
/// ```
#[derive(Clone, Debug)]
pub struct TokenResponse {
    access_token: SecretString,
    expires_in: Option<u64>,
    refresh_token: Option<SecretString>,
    scope: Option<String>,
}

impl TokenResponse {
    /// Creates a response with a token that the client sends as `Authorization: Bearer`
    /// ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).
    #[must_use]
    pub fn bearer(access_token: impl Into<SecretString>) -> Self {
        Self {
            access_token: access_token.into(),
            expires_in: None,
            refresh_token: None,
            scope: None,
        }
    }

    /// Sets the token's lifetime, in whole seconds.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.expires_in = Some(lifetime.as_secs());
        self
    }

    /// Sets the refresh token, which the client can exchange for another access token.
    #[must_use]
    pub fn refresh_token(mut self, refresh_token: impl Into<SecretString>) -> Self {
        self.refresh_token = Some(refresh_token.into());
        self
    }

    /// Sets the granted scopes. Required if they differ from the requested scopes.
    ///
    /// An empty list is omitted, because the grammar does not have one. The client then assumes
    /// that it has the scopes that it requested. To refuse all of them, return
    /// [`TokenError::invalid_scope`](crate::TokenError::invalid_scope).
    #[must_use]
    pub fn scope<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let mut joined = String::new();
        for scope in scopes {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(scope.as_ref());
        }
        self.scope = Some(joined).filter(|scope| !scope.is_empty());
        self
    }

    /// Converts into a response that no cache stores, with a body of any type that implements
    /// `From<String>`.
    #[must_use]
    pub fn into_http_response<B: From<String>>(self) -> Response<B> {
        let refresh_token = self.refresh_token.as_ref().map(ExposeSecret::expose_secret);
        let body = Object::new()
            .text("access_token", self.access_token.expose_secret())
            .text("token_type", "bearer")
            .optional_number("expires_in", self.expires_in)
            .optional_text("refresh_token", refresh_token)
            .optional_text("scope", self.scope.as_deref());
        respond(body)
    }
}

impl From<TokenResponse> for Response<String> {
    fn from(answer: TokenResponse) -> Self {
        answer.into_http_response()
    }
}

/// Builds a JSON response that no cache stores.
pub(crate) fn respond<B: From<String>>(body: Object) -> Response<B> {
    let mut response = Response::new(B::from(body.finish()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_joined_by_single_spaces() {
        for (scopes, member) in [
            (&[][..], r#""token_type":"bearer"}"#),
            (&["a"], r#""scope":"a"}"#),
            (&["a", "b", "c"], r#""scope":"a b c"}"#),
        ] {
            let response: Response<String> = TokenResponse::bearer("t").scope(scopes).into();
            assert!(response.body().ends_with(member), "{}", response.body());
        }
    }

    #[test]
    fn a_refresh_token_is_told_and_text_is_escaped() {
        let response: Response<String> = TokenResponse::bearer("a\"b").refresh_token("c").into();
        assert_eq!(
            response.body(),
            r#"{"access_token":"a\"b","token_type":"bearer","refresh_token":"c"}"#
        );
        assert_eq!(response.headers()["pragma"], "no-cache");
        assert_eq!(response.headers()["content-type"], "application/json");
    }
}
