//! The credential of a scheme that does not parse the header value.

use http::HeaderValue;

use crate::credential::kind::SchemeKind;
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, HeaderLine, RequestHead};
use crate::credential::{Credential, Declared, optional};
use crate::syntax::debug_text::debug_only;

/// The whole value of an `Authorization` header, byte for byte, with any scheme name.
///
/// It contains a reference-counted clone of the header value, so nothing is copied. With actix-web
/// and Rocket, which have their own header types, it contains a copy.
///
/// `Debug` does not show the value.
///
/// ```
/// use http::HeaderValue;
/// use doorward::AuthorizationValue;
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
    /// Returns the bytes of the value. They need not be UTF-8
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.line.as_bytes()
    }

    /// Returns the value as text, if it is UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(self.as_bytes()).ok()
    }
}

impl Credential for AuthorizationValue {
    type Ref<'h> = &'h [u8];

    const AUTO_ERROR: bool = true;
    const KIND: SchemeKind = SchemeKind::OAuth2;

    #[inline]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        let line = whole_line(head)?.value();
        line.map(Self::from).ok_or(RejectionReason::Malformed)
    }

    #[inline]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<&[u8], RejectionReason> {
        whole_line(head).map(HeaderLine::bytes)
    }
}

optional!(AuthorizationValue, &'h [u8]);

/// Returns the `Authorization` line of any scheme.
#[inline]
fn whole_line<H: RequestHead + ?Sized>(head: &H) -> Result<HeaderLine<'_>, RejectionReason> {
    match head.line(&AUTHORIZATION_NAME)? {
        line if line.is_field_value() => Ok(line),
        _ => Err(RejectionReason::Malformed),
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

/// Converts into the same header value, marked as sensitive, for a request to another service.
impl From<AuthorizationValue> for HeaderValue {
    fn from(value: AuthorizationValue) -> Self {
        sensitive(value.line)
    }
}

/// Marks a header value as sensitive.
pub(super) fn sensitive(mut line: HeaderValue) -> HeaderValue {
    line.set_sensitive(true);
    line
}

debug_only!([] AuthorizationValue, "(<redacted>)");

#[cfg(test)]
mod tests {
    use super::*;

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
