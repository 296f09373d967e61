//! The successful responses of the token endpoint
//! ([RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)).

use core::time::Duration;

use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, PRAGMA};
use secrecy::{ExposeSecret, SecretString};

use crate::syntax::debug_text::debug_only;
use crate::syntax::grammar::joined;
use crate::syntax::json::ObjectWriter;

/// The response that gives a client its token.
///
/// `Debug` does not show the tokens. Only the HTTP response contains them.
///
/// ```
/// use std::time::Duration;
/// use doorward::token_endpoint::TokenResponse;
///
/// let answer = TokenResponse::bearer("2YotnFZFEjr1zCsicMWpAA")
///     .with_expires_in(Duration::from_secs(3600))
///     .with_scopes(["items", "me"]);
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
    extra: Vec<(&'static str, ExtraMember)>,
}

/// The value of an extra member of a [`TokenResponse`]: a text, a number or a flag, which converts
/// into it.
///
/// `Debug` does not show it.
#[derive(Clone)]
pub struct ExtraMember(ResponseMember);

#[derive(Clone)]
enum ResponseMember {
    Text(SecretString),
    Number(u64),
    Flag(bool),
}

macro_rules! members {
    ($($ty:ty => $member:ident;)*) => {$(
        impl From<$ty> for ExtraMember {
            fn from(value: $ty) -> Self {
                Self(ResponseMember::$member(value.into()))
            }
        }
    )*};
}

members! {
    &str => Text;
    String => Text;
    SecretString => Text;
    u32 => Number;
    u64 => Number;
    bool => Flag;
}

debug_only!([] ExtraMember, "(<redacted>)");

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
            extra: Vec::new(),
        }
    }

    /// Sets the token's lifetime, in whole seconds.
    #[must_use]
    pub fn with_expires_in(mut self, lifetime: Duration) -> Self {
        self.expires_in = Some(lifetime.as_secs());
        self
    }

    /// Sets the refresh token, which the client can exchange for another access token.
    #[must_use]
    pub fn with_refresh_token(mut self, refresh_token: impl Into<SecretString>) -> Self {
        self.refresh_token = Some(refresh_token.into());
        self
    }

    /// Sets the granted scopes. Required if they differ from the requested scopes.
    ///
    /// An empty list is omitted, because the grammar does not have one. The client then assumes
    /// that it has the scopes that it requested. To refuse all of them, return
    /// [`TokenError::invalid_scope`](crate::token_endpoint::TokenError::invalid_scope).
    #[must_use]
    pub fn with_scopes<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scope = Some(joined(scopes)).filter(|scope| !scope.is_empty());
        self
    }

    /// Adds a member, such as `id_token` of OpenID Connect, or `issued_token_type` of
    /// [RFC 8693](https://www.rfc-editor.org/rfc/rfc8693#section-2.2.1). It replaces a member of
    /// the same name, so that `with_extra("token_type", "DPoP")` gives another type.
    ///
    /// ```
    /// use doorward::token_endpoint::TokenResponse;
    ///
    /// let answer = TokenResponse::bearer("2YotnFZFEjr1zCsicMWpAA").with_extra("refresh_expires_in", 86400_u32);
    /// let response: http::Response<String> = answer.into();
    /// assert_eq!(
    ///     response.body(),
    ///     r#"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"bearer","refresh_expires_in":86400}"#
    /// );
    /// ```
    #[must_use]
    pub fn with_extra(mut self, name: &'static str, value: impl Into<ExtraMember>) -> Self {
        self.extra.retain(|(other, _)| *other != name);
        self.extra.push((name, value.into()));
        self
    }

    /// Converts into a response that no cache stores, with a body of any type that is made from
    /// text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        let refresh_token = self.refresh_token.as_ref().map(ExposeSecret::expose_secret);
        let standard = |name| {
            let mut extra = self.extra.iter();
            !extra.any(|(other, _)| *other == name)
        };
        let text = |name, text: Option<&str>, body: ObjectWriter| {
            body.optional_text(name, text.filter(|_| standard(name)))
        };
        let body = ObjectWriter::new();
        let body = text("access_token", Some(self.access_token.expose_secret()), body);
        let body = text("token_type", Some("bearer"), body);
        let expires_in = self.expires_in.filter(|_| standard("expires_in"));
        let body = body.optional_number("expires_in", expires_in);
        let body = text("refresh_token", refresh_token, body);
        let body = text("scope", self.scope.as_deref(), body);
        let body = self.extra.iter().fold(body, |body, (name, value)| match &value.0 {
            ResponseMember::Text(value) => body.text(name, value.expose_secret()),
            ResponseMember::Number(value) => body.optional_number(name, Some(*value)),
            ResponseMember::Flag(value) => body.flag(name, *value),
        });
        respond(body)
    }
}

/// Builds a JSON response that no cache stores.
pub(crate) fn respond<B: From<String>>(body: ObjectWriter) -> Response<B> {
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
            let response: Response<String> = TokenResponse::bearer("t").with_scopes(scopes).into();
            assert!(response.body().ends_with(member), "{}", response.body());
        }
    }

    #[test]
    fn a_refresh_token_is_told_and_text_is_escaped() {
        let response: Response<String> =
            TokenResponse::bearer("a\"b").with_refresh_token("c").into();
        assert_eq!(
            response.body(),
            r#"{"access_token":"a\"b","token_type":"bearer","refresh_token":"c"}"#
        );
        assert_eq!(response.headers()["pragma"], "no-cache");
        assert_eq!(response.headers()["content-type"], "application/json");
    }
}
