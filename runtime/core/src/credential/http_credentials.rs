//! The credentials of any HTTP authentication scheme, such as Digest, as they were sent: nothing
//! here checks them.

use core::ops::Range;
use std::sync::OnceLock;

use http::HeaderValue;

use crate::credential::authorization_line::{Located, after_name, is_field_value};
use crate::credential::authorization_value::sensitive;
use crate::credential::kind::SchemeKind;
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, RequestHead};
use crate::credential::{Credential, Declared, optional};
use crate::syntax::debug_text::debug_only;

/// The credentials after the name of an HTTP authentication scheme, as the request contained them
/// ([RFC 9110, 11.4](https://www.rfc-editor.org/rfc/rfc9110#section-11.4)).
///
/// They contain a reference-counted clone of the header value, so nothing is copied. With actix-web
/// and Rocket, which have their own header types, they contain a copy.
///
/// **Found credentials prove nothing**: anyone can send them. `Debug` does not show them.
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
/// use doorward::{Rejection, Scheme, http};
///
/// #[http(scheme = "Negotiate")]
/// struct Negotiate;
///
/// let mut headers = HeaderMap::new();
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("negotiate YIIJvwYG"));
/// let credentials = Negotiate::authenticate(&headers)?;
/// assert_eq!((credentials.scheme(), credentials.as_str()), ("negotiate", "YIIJvwYG"));
/// # Ok::<(), Rejection>(())
/// ```
#[derive(Clone)]
pub struct HttpCredentials {
    line: HeaderValue,
    credentials: Range<usize>,
    /// The text of credentials that are not UTF-8, once it was asked for.
    latin1: OnceLock<Box<str>>,
}

impl HttpCredentials {
    fn new(line: HeaderValue, found: Located<'_>) -> Self {
        Self { line, credentials: found.range(), latin1: OnceLock::new() }
    }

    /// Returns the name of the authentication scheme as the request contained it: the declared
    /// name, in any case ([RFC 9110, 11.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.1)).
    #[must_use]
    pub fn scheme(&self) -> &str {
        let mut parts = self.line.as_bytes().split(|byte| *byte == b' ');
        // It was compared with the declared name, which is ASCII, so no fallback is taken.
        let name = parts.next().and_then(|name| core::str::from_utf8(name).ok());
        name.unwrap_or_default()
    }

    /// Returns the bytes of the credentials. They need not be UTF-8
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let bytes = self.line.as_bytes();
        bytes.get(self.credentials.clone()).unwrap_or_default()
    }

    /// Returns the credentials as text. If they are not UTF-8, each byte is the character with its
    /// number (ISO-8859-1), as in FastAPI, so nothing is lost. To tell the two apart, take
    /// [`as_bytes`](Self::as_bytes).
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_else(|_| {
            self.latin1.get_or_init(|| self.as_bytes().iter().copied().map(char::from).collect())
        })
    }
}

impl Credential for HttpCredentials {
    type Ref<'h> = &'h [u8];

    const AUTO_ERROR: bool = true;
    const KIND: SchemeKind = SchemeKind::Http { scheme: "Digest" };

    #[inline]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        let line = head.line(&AUTHORIZATION_NAME)?;
        let found = locate::<D>(line.bytes())?;
        let line = line.value().ok_or(RejectionReason::Malformed)?;
        Ok(Self::new(line, found))
    }

    #[inline]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<&[u8], RejectionReason> {
        let line = head.line(&AUTHORIZATION_NAME)?;
        locate::<D>(line.bytes()).map(|found| found.credential)
    }
}

optional!(HttpCredentials, &'h [u8]);

/// Finds the credentials in an `Authorization` line.
fn locate<D: Declared + ?Sized>(line: &[u8]) -> Result<Located<'_>, RejectionReason> {
    let SchemeKind::Http { scheme } = D::KIND else {
        return Err(RejectionReason::Missing);
    };
    let credentials = after_name(line, scheme).ok_or(RejectionReason::Missing)?;
    if credentials.is_empty() || !is_field_value(credentials) {
        return Err(RejectionReason::Malformed);
    }
    Ok(Located::within(line, credentials))
}

impl AsRef<str> for HttpCredentials {
    fn as_ref(&self) -> &str {
        self.as_str()
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

debug_only!([] HttpCredentials, "(<redacted>)");

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::AUTHORIZATION;

    use super::*;
    use crate::credential::kind::SchemeKind;
    use crate::scheme::Scheme;
    use crate::scheme::config::SchemeConfig;

    struct Token;

    impl Scheme for Token {
        type Credential = HttpCredentials;
        const CONFIG: SchemeConfig = SchemeConfig::new::<HttpCredentials>("Token")
            .with_kind(SchemeKind::Http { scheme: "Token" });
    }

    fn found(line: &[u8]) -> HttpCredentials {
        let line = HeaderValue::from_bytes(line).unwrap();
        Token::authenticate(&HeaderMap::from_iter([(AUTHORIZATION, line)])).unwrap()
    }

    #[test]
    fn the_name_is_as_it_was_sent() {
        for (line, name, credentials) in
            [(&b"Token a"[..], "Token", "a"), (b"tOKEN   a b ", "tOKEN", "a b")]
        {
            let found = found(line);
            assert_eq!((found.scheme(), found.as_str()), (name, credentials));
        }
    }

    #[test]
    fn every_byte_is_text() {
        for (credentials, text) in [
            (&b"u=\"J\xc3\xa4ger\""[..], "u=\"Jäger\""),
            (b"u=\"J\xe4ger\"", "u=\"Jäger\""),
            (b"\xff\xc3\xa4", "ÿÃ¤"),
        ] {
            let found = found(&[b"Token ", credentials].concat());
            assert_eq!(found.as_bytes(), credentials);
            let text_of: &str = found.as_ref();
            assert_eq!((found.as_str(), text_of), (text, text));
            assert_eq!(found.clone().as_str(), text);
        }
    }
}
