//! What a scheme hands over.

use core::fmt;
use core::ops::Range;

use http::HeaderValue;

use crate::authorization::{Grammar, Located, Refusal, bearer_token};

/// A bearer token, as it stood in the request.
///
/// It holds a reference-counted clone of the header value: nothing is copied. A clone of it is as cheap.
///
/// **A found token proves nothing**: anyone can send one. `Bearer` alone yields the empty token, which [`is_empty`](Self::is_empty) shows.
/// It counts only after your own code has checked it.
///
/// `Debug` does not show the token.
///
/// ```
/// use tollgate::BearerToken;
///
/// let token = BearerToken::try_from("mF_9.B5f-4.1JqM")?;
/// assert_eq!(token.as_str(), "mF_9.B5f-4.1JqM");
/// assert_eq!(format!("{token:?}"), "BearerToken(<redacted>)");
/// # Ok::<(), tollgate::InvalidToken>(())
/// ```
#[derive(Clone)]
pub struct BearerToken {
    line: HeaderValue,
    token: Range<usize>,
}

impl BearerToken {
    /// The token: visible ASCII, with spaces and tabs inside at most.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // It was found to be ASCII, so that no other text comes out of this.
        self.line
            .as_bytes()
            .get(self.token.clone())
            .and_then(|token| core::str::from_utf8(token).ok())
            .unwrap_or_default()
    }

    /// Tells whether the token is `""`, as in a header of `Bearer` alone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.token.is_empty()
    }
}

impl AsRef<str> for BearerToken {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// The whole header line, to be handed on to another service. It is marked as sensitive, so that no log shows it and no
/// HTTP/2 table keeps it.
///
/// ```
/// use http::HeaderValue;
/// use tollgate::BearerToken;
///
/// let line = HeaderValue::from(BearerToken::try_from("s3cret")?);
/// assert_eq!(line, "Bearer s3cret");
/// assert!(line.is_sensitive());
/// # Ok::<(), tollgate::InvalidToken>(())
/// ```
impl From<BearerToken> for HeaderValue {
    fn from(token: BearerToken) -> Self {
        sensitive(token.line)
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(<redacted>)")
    }
}

/// Makes a token without a request, so that a test can call a handler that takes one.
impl TryFrom<&str> for BearerToken {
    type Error = InvalidToken;

    fn try_from(token: &str) -> Result<Self, InvalidToken> {
        let line = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| InvalidToken)?;
        match bearer_token(line.as_bytes(), Grammar::Lenient) {
            Ok(found) if found.credential.len() == token.len() => {
                Ok(Self::keep(line.clone(), found))
            }
            _ => Err(InvalidToken),
        }
    }
}

/// The text is no bearer token: it has a character outside visible ASCII, or a blank at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bearer token is visible ASCII without blanks at its ends")
    }
}

impl core::error::Error for InvalidToken {}

/// The whole value of an `Authorization` header, whatever its scheme name, byte for byte.
///
/// It holds a reference-counted clone of the header value: nothing is copied.
///
/// `Debug` does not show the value.
///
/// ```
/// use http::HeaderValue;
/// use tollgate::AuthorizationValue;
///
/// let value = AuthorizationValue::from(HeaderValue::from_static("Digest username=\"a\""));
/// assert_eq!(value.as_bytes(), b"Digest username=\"a\"");
/// assert_eq!(format!("{value:?}"), "AuthorizationValue(<redacted>)");
/// ```
#[derive(Clone)]
pub struct AuthorizationValue {
    line: HeaderValue,
}

impl AuthorizationValue {
    /// The value's bytes. They need not be UTF-8
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.line.as_bytes()
    }

    /// The value as text, when it is UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(self.as_bytes()).ok()
    }
}

impl AsRef<[u8]> for AuthorizationValue {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl From<HeaderValue> for AuthorizationValue {
    fn from(line: HeaderValue) -> Self {
        Self { line }
    }
}

/// The same value, to be handed on to another service, marked as sensitive.
impl From<AuthorizationValue> for HeaderValue {
    fn from(value: AuthorizationValue) -> Self {
        sensitive(value.line)
    }
}

fn sensitive(mut line: HeaderValue) -> HeaderValue {
    line.set_sensitive(true);
    line
}

impl fmt::Debug for AuthorizationValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthorizationValue(<redacted>)")
    }
}

/// A kind of credential: [`BearerToken`] or [`AuthorizationValue`].
pub trait Credential: sealed::Sealed + Sized + Send + 'static {
    /// The same, borrowed from the request: `&str` or `&[u8]`.
    type Ref<'h>;

    #[doc(hidden)]
    fn locate(line: &[u8], strict: bool) -> Result<Located<'_>, Refusal>;

    #[doc(hidden)]
    fn lend(found: Located<'_>) -> Result<Self::Ref<'_>, Refusal>;

    #[doc(hidden)]
    fn keep(line: HeaderValue, found: Located<'_>) -> Self;
}

impl Credential for BearerToken {
    type Ref<'h> = &'h str;

    #[inline(always)]
    fn locate(line: &[u8], strict: bool) -> Result<Located<'_>, Refusal> {
        bearer_token(
            line,
            if strict {
                Grammar::Rfc6750
            } else {
                Grammar::Lenient
            },
        )
    }

    #[inline]
    fn lend(found: Located<'_>) -> Result<&str, Refusal> {
        core::str::from_utf8(found.credential).map_err(|_| Refusal::Malformed)
    }

    #[inline]
    fn keep(line: HeaderValue, found: Located<'_>) -> Self {
        Self {
            line,
            token: found.start..found.start.saturating_add(found.credential.len()),
        }
    }
}

impl Credential for AuthorizationValue {
    type Ref<'h> = &'h [u8];

    #[inline]
    fn locate(line: &[u8], _strict: bool) -> Result<Located<'_>, Refusal> {
        Ok(Located {
            start: 0,
            credential: line,
        })
    }

    #[inline]
    fn lend(found: Located<'_>) -> Result<&[u8], Refusal> {
        Ok(found.credential)
    }

    #[inline]
    fn keep(line: HeaderValue, _found: Located<'_>) -> Self {
        Self { line }
    }
}

/// What a scheme yields: a [`Credential`], or an `Option` of one when its `auto_error` is `false`.
pub trait Yield: sealed::Sealed + Sized + Send + 'static {
    /// The credential inside.
    type Credential: Credential;

    /// The same, borrowed from the request: `&str` or `&[u8]`, or an `Option` of it.
    type Ref<'h>;

    /// Whether a request without a credential is refused.
    const AUTO_ERROR: bool;

    #[doc(hidden)]
    fn settle(found: Result<Self::Credential, Refusal>) -> Result<Self, Refusal>;

    #[doc(hidden)]
    fn settle_ref<'h>(
        found: Result<<Self::Credential as Credential>::Ref<'h>, Refusal>,
    ) -> Result<Self::Ref<'h>, Refusal>;
}

impl<C: Credential> Yield for C {
    type Credential = C;
    type Ref<'h> = C::Ref<'h>;

    const AUTO_ERROR: bool = true;

    #[inline]
    fn settle(found: Result<C, Refusal>) -> Result<Self, Refusal> {
        found
    }

    #[inline]
    fn settle_ref<'h>(found: Result<C::Ref<'h>, Refusal>) -> Result<C::Ref<'h>, Refusal> {
        found
    }
}

impl<C: Credential> Yield for Option<C> {
    type Credential = C;
    type Ref<'h> = Option<C::Ref<'h>>;

    const AUTO_ERROR: bool = false;

    #[inline]
    fn settle(found: Result<C, Refusal>) -> Result<Self, Refusal> {
        Ok(found.ok())
    }

    #[inline]
    fn settle_ref<'h>(found: Result<C::Ref<'h>, Refusal>) -> Result<Option<C::Ref<'h>>, Refusal> {
        Ok(found.ok())
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BearerToken {}
    impl Sealed for super::AuthorizationValue {}
    impl<C: super::Credential> Sealed for Option<C> {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_made_by_hand_is_what_a_request_could_carry() {
        assert!(BearerToken::try_from("").is_ok_and(|token| token.is_empty()));
        assert!(BearerToken::try_from("a b").is_ok_and(|token| token.as_str() == "a b"));
        for bad in [" a", "a ", "a\n", "é", "a\u{7f}"] {
            assert_eq!(BearerToken::try_from(bad).err(), Some(InvalidToken));
        }
    }

    #[test]
    fn a_token_is_text() {
        let token = BearerToken::try_from("a b").unwrap();
        assert_eq!((token.as_str(), token.as_ref()), ("a b", "a b"));
        assert!(!token.is_empty());
        assert_eq!(format!("{token:?}"), "BearerToken(<redacted>)");
    }

    #[test]
    fn a_value_is_bytes_and_text_where_it_is_utf8() {
        let value = AuthorizationValue::from(HeaderValue::from_static("Basic YQ=="));
        assert_eq!(value.as_bytes(), b"Basic YQ==");
        assert_eq!(value.as_ref(), b"Basic YQ==");
        assert_eq!(value.as_str(), Some("Basic YQ=="));
        assert_eq!(format!("{value:?}"), "AuthorizationValue(<redacted>)");
        let value = AuthorizationValue::from(HeaderValue::from_bytes(b"Basic \xff").unwrap());
        assert_eq!(value.as_bytes(), b"Basic \xff");
        assert_eq!(value.as_str(), None);
    }
}
