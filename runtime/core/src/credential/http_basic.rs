//! The credentials of HTTP Basic ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).

use secrecy::SecretString;

use crate::credential::authorization_line::after_name;
use crate::credential::kind::SchemeKind;
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, RequestHead};
use crate::credential::{Credential, Declared, optional};
use crate::syntax::debug_text::debug_only;
use crate::syntax::secret::{SecretBytes, decode_base64, secret_eq};

/// The user name and the password of HTTP Basic
/// ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)), as UTF-8.
///
/// **Found credentials prove nothing**: anyone can send them. Trust them only after your own code
/// has checked the password, with [`password_eq`](Self::password_eq) or a password hash.
///
/// `Debug` shows neither.
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
/// use doorward::{Rejection, Scheme, http_basic};
///
/// #[http_basic(realm = "admin")]
/// struct Admin;
///
/// let mut headers = HeaderMap::new();
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Basic am9objpzZWNyZXQ="));
/// let user = Admin::authenticate(&headers)?;
/// assert_eq!(user.username, "john");
/// assert!(user.password_eq("secret"));
/// # Ok::<(), Rejection>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct BasicCredentials {
    /// The user name. It may be empty, and has no colon.
    pub username: String,
    /// The password. It may be empty.
    pub password: SecretString,
}

impl BasicCredentials {
    /// Creates credentials without a request, for a test that calls a handler with them.
    #[must_use]
    pub fn new(username: &str, password: &str) -> Self {
        Self { username: username.to_owned(), password: password.into() }
    }

    /// Returns `true` if the user sent this name. The time that this takes does not reveal where a
    /// wrong name differs.
    ///
    /// To compare the password in any case, write `&` between the two, which evaluates both:
    ///
    /// ```
    /// # let user = doorward::BasicCredentials::new("admin", "s3cret");
    /// assert!(user.username_eq("admin") & user.password_eq("s3cret"));
    /// ```
    #[must_use]
    pub fn username_eq(&self, expected: impl SecretBytes) -> bool {
        secret_eq(&self.username, expected)
    }

    /// Returns `true` if the user sent this password. The time that this takes does not reveal
    /// where a wrong password differs.
    #[must_use]
    pub fn password_eq(&self, expected: impl SecretBytes) -> bool {
        secret_eq(&self.password, expected)
    }

    /// Reads the credentials from an `Authorization` line.
    fn of_line(line: &[u8]) -> Result<Self, RejectionReason> {
        let encoded = after_name(line, "basic").ok_or(RejectionReason::Missing)?;
        let decoded = decode_base64(encoded).ok_or(RejectionReason::Malformed)?;
        Self::of_text(&decoded).ok_or(RejectionReason::Malformed)
    }

    fn of_text(decoded: &[u8]) -> Option<Self> {
        let text = core::str::from_utf8(decoded).ok()?;
        let (username, password) = text.split_once(':')?;
        let has_control = text.bytes().any(|byte| byte.is_ascii_control());
        (!has_control).then(|| Self::new(username, password))
    }
}

impl Credential for BasicCredentials {
    type Ref<'h> = Self;

    const AUTO_ERROR: bool = true;
    const KIND: SchemeKind = SchemeKind::HttpBasic;

    #[inline]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        Self::of_line(head.line(&AUTHORIZATION_NAME)?.bytes())
    }

    #[inline]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        Self::read::<D, H>(head)
    }
}

// As in FastAPI.
optional!(BasicCredentials, BasicCredentials, Malformed);

debug_only!([] BasicCredentials, "(<redacted>)");

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use secrecy::ExposeSecret;

    fn read(line: &str) -> Result<(String, String), RejectionReason> {
        let found = BasicCredentials::of_line(line.as_bytes())?;
        Ok((found.username, found.password.expose_secret().to_owned()))
    }

    fn encoded(text: impl AsRef<[u8]>) -> Result<(String, String), RejectionReason> {
        read(&format!("Basic {}", STANDARD.encode(text)))
    }

    #[test]
    fn the_text_is_split_at_the_first_colon() {
        let found = |username: &str, password: &str| Ok((username.to_owned(), password.to_owned()));
        assert_eq!(encoded("a:b"), found("a", "b"));
        assert_eq!(encoded("a:b:c"), found("a", "b:c"));
        assert_eq!(encoded(":"), found("", ""));
        assert_eq!(encoded("é%3A+:ß "), found("é%3A+", "ß "));
        assert_eq!(read("bASIC  YTpi "), found("a", "b"));
    }

    #[test]
    fn another_scheme_is_none_and_anything_else_is_malformed() {
        for line in ["Bearer YTpi", "BasicYTpi", "Basic\tYTpi", "Basi"] {
            assert_eq!(read(line), Err(RejectionReason::Missing), "{line}");
        }
        for line in [
            "Basic",
            "Basic ",
            "Basic YTpi=",
            "Basic YTpj YTpi",
            "Basic YTo",
            "Basic YTr=",
            "Basic YTp_",
        ] {
            assert_eq!(read(line), Err(RejectionReason::Malformed), "{line}");
        }
        for text in [&b"ab"[..], b"a\0:b", b"a:b\n", b"a:\x7f", b"\xe9:b"] {
            assert_eq!(encoded(text), Err(RejectionReason::Malformed), "{text:?}");
        }
    }
}
