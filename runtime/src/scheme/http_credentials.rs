//! The credentials of any HTTP authentication scheme.

use core::fmt;
use core::ops::Range;

use http::HeaderValue;

use super::authorization::Located;
use super::authorization_value::sensitive;

/// The credentials after the name of an HTTP authentication scheme, as the request contained them
/// ([RFC 9110, 11.4](https://www.rfc-editor.org/rfc/rfc9110#section-11.4)).
///
/// They contain a reference-counted clone of the header value, so nothing is copied. With actix-web
/// and Rocket, which have their own header types, they contain a copy.
///
/// **Found credentials prove nothing**: anyone can send them. `Debug` does not show them.
#[derive(Clone)]
pub struct HttpCredentials {
    line: HeaderValue,
    credentials: Range<usize>,
}

impl HttpCredentials {
    pub(super) fn new(line: HeaderValue, found: Located<'_>) -> Self {
        Self {
            line,
            credentials: found.range(),
        }
    }

    /// Returns the bytes of the credentials. They need not be UTF-8
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let bytes = self.line.as_bytes();
        bytes.get(self.credentials.clone()).unwrap_or_default()
    }

    /// Returns the credentials as text, if they are UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(self.as_bytes()).ok()
    }
}

impl AsRef<[u8]> for HttpCredentials {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Converts into the whole header value, marked as sensitive, for a request to another service.
impl From<HttpCredentials> for HeaderValue {
    fn from(credentials: HttpCredentials) -> Self {
        sensitive(credentials.line)
    }
}

impl fmt::Debug for HttpCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpCredentials(<redacted>)")
    }
}
