//! The credential of a bearer scheme.

use core::fmt;
use core::ops::Range;
use std::borrow::Cow;

use http::HeaderValue;

use crate::credential::authorization_line::{
    Grammar, Located, after_name, bearer_token, dpop_token,
};
use crate::credential::authorization_value::sensitive;
use crate::credential::kind::SchemeKind;
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, RequestHead};
use crate::credential::{Credential, Declared, optional, websocket};
use crate::syntax::debug_text::debug_as_display;
use crate::syntax::debug_text::debug_only;
use crate::syntax::secret::{SecretBytes, secret_eq};

/// A bearer token, exactly as the request contained it.
///
/// It contains a reference-counted clone of the header value, so nothing is copied. With actix-web
/// and Rocket, which have their own header types, it contains a copy. Cloning a token is cheap.
///
/// **A found token proves nothing**: anyone can send one. Trust it only after your own code has
/// checked it. A header of only `Bearer` yields the empty token; see [`is_empty`](Self::is_empty).
///
/// `Debug` does not show the token.
///
/// ```
/// use doorward::BearerToken;
///
/// let token = BearerToken::try_from("mF_9.B5f-4.1JqM")?;
/// assert_eq!(token.as_str(), "mF_9.B5f-4.1JqM");
/// assert!(token.secret_eq("mF_9.B5f-4.1JqM") && !token.secret_eq("mF_9.B5f-4.1JqN"));
/// assert_eq!(format!("{token:?}"), "BearerToken(<redacted>)");
/// # Ok::<(), doorward::scheme::InvalidToken>(())
/// ```
#[derive(Clone)]
pub struct BearerToken {
    line: HeaderValue,
    token: Range<usize>,
}

impl BearerToken {
    #[inline]
    fn new(line: HeaderValue, found: Located<'_>) -> Self {
        Self { line, token: found.range() }
    }

    /// Returns the token: visible ASCII, possibly with spaces and tabs inside.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Checked to be ASCII when it was found, so neither fallback is taken.
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns the characters, without checking again that they are some.
    #[doc(hidden)]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.line.as_bytes().get(self.token.clone()).unwrap_or_default()
    }

    /// Returns `true` if the token is `""`, as in a header of only `Bearer`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.token.is_empty()
    }

    /// Returns `true` if the token came with the scheme name `DPoP`.
    pub(crate) fn is_dpop(&self) -> bool {
        after_name(self.line.as_bytes(), "dpop").is_some()
    }

    /// Returns `true` if the client sent this token. The time that this takes does not reveal where
    /// a wrong token differs.
    #[must_use]
    pub fn secret_eq(&self, expected: impl SecretBytes) -> bool {
        secret_eq(self.as_str(), expected)
    }
}

impl Credential for BearerToken {
    type Ref<'h> = &'h str;

    const AUTO_ERROR: bool = true;
    const KIND: SchemeKind = SchemeKind::OAuth2Bearer;

    #[inline(always)]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        if const { D::READS_WEBSOCKET }
            && let Some(token) = websocket::token(head)?
        {
            return Self::try_from(&*token).map_err(|_| RejectionReason::Malformed);
        }
        let line = head.line(&AUTHORIZATION_NAME)?;
        let found = locate::<D>(line.bytes())?;
        let line = line.value().ok_or(RejectionReason::Malformed)?;
        Ok(Self::new(line, found))
    }

    #[inline(always)]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<&str, RejectionReason> {
        if const { D::READS_WEBSOCKET }
            && let Some(token) = websocket::token(head)?
        {
            return match token {
                Cow::Borrowed(token) => Ok(token),
                Cow::Owned(_) => Err(RejectionReason::Malformed),
            };
        }
        let found = locate::<D>(head.line(&AUTHORIZATION_NAME)?.bytes())?;
        // `bearer_token` has checked that the token is ASCII.
        Ok(core::str::from_utf8(found.credential).unwrap_or_default())
    }
}

optional!(BearerToken, &'h str);

/// Finds the token in an `Authorization` line.
#[inline(always)]
fn locate<D: Declared + ?Sized>(line: &[u8]) -> Result<Located<'_>, RejectionReason> {
    let grammar = const { if D::IS_STRICT { Grammar::Rfc6750 } else { Grammar::Lenient } };
    let found = match bearer_token(line, grammar) {
        Err(RejectionReason::Missing) if const { D::TAKES_DPOP } => dpop_token(line, grammar),
        found => found,
    }?;
    // FastAPI's `HTTPBearer` refuses an empty token, and its OAuth2 schemes do not.
    let needs_text = const { matches!(D::KIND, SchemeKind::HttpBearer { .. }) };
    if needs_text && found.credential.is_empty() {
        Err(RejectionReason::Malformed)
    } else {
        Ok(found)
    }
}

impl AsRef<str> for BearerToken {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Converts into the whole header value, for a request to another service. The value is marked as
/// sensitive, so logs do not show it and HTTP/2 header tables do not store it.
///
/// ```
/// use http::HeaderValue;
/// use doorward::BearerToken;
///
/// let line = HeaderValue::from(BearerToken::try_from("s3cret")?);
/// assert_eq!(line, "Bearer s3cret");
/// assert!(line.is_sensitive());
/// # Ok::<(), doorward::scheme::InvalidToken>(())
/// ```
impl From<BearerToken> for HeaderValue {
    fn from(token: BearerToken) -> Self {
        sensitive(token.line)
    }
}

debug_only!([] BearerToken, "(<redacted>)");

/// Creates a token that was not in a request: for a handler that a test calls, or one that the
/// service has read itself.
impl TryFrom<&str> for BearerToken {
    type Error = InvalidToken;

    fn try_from(token: &str) -> Result<Self, InvalidToken> {
        let line = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| InvalidToken)?;
        match bearer_token(line.as_bytes(), Grammar::Lenient) {
            Ok(found) if found.credential.len() == token.len() => {
                Ok(Self::new(line.clone(), found))
            }
            _ => Err(InvalidToken),
        }
    }
}

/// The error for a text that is not a bearer token: it has a character other than visible ASCII, a
/// space or a tab, or it starts or ends with a space or a tab.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bearer token is visible ASCII without blanks at its ends")
    }
}

impl core::error::Error for InvalidToken {}

debug_as_display!(InvalidToken);

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
}
