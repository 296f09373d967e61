//! The credential of an API key scheme.

use core::fmt;
use core::ops::Range;
use std::borrow::Cow;

use http::header::COOKIE;
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use super::authorization::{Located, is_text, trimmed};
use super::cookie::cookie;
use super::query::{encoded, parameter};
use super::reason::RejectionReason;
use super::request_head::{HeaderLine, RequestHead, single};
use super::same_site::is_cross_site;
use crate::secret::{SecretBytes, secret_eq};

/// The place of an API key in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApiKeyLocation {
    /// The header of this name.
    Header(&'static str),
    /// The parameter of this name in the query.
    ///
    /// A key in a URL is a key in every log, every browser history and every `Referer`. Use it only
    /// for clients that cannot send a header.
    Query(&'static str),
    /// The cookie of this name.
    Cookie {
        /// The name.
        name: &'static str,
        /// `true` if a request that another site has caused is taken too. A browser adds its
        /// cookies to such a request by itself.
        cross_site: bool,
    },
}

impl ApiKeyLocation {
    /// Returns the name of the header, parameter or cookie.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header(name) | Self::Query(name) | Self::Cookie { name, .. } => name,
        }
    }
}

/// An API key, exactly as the request contained it.
///
/// It contains a reference-counted clone of the header value or of the target, so nothing is copied
/// unless the key has to be decoded. With actix-web and Rocket, which have their own types, it
/// contains a copy.
///
/// **A found key proves nothing**: anyone can send one. Trust it only after your own code has
/// checked it: compare it with [`secret_eq`](Self::secret_eq), or look up its hash.
///
/// `Debug` does not show the key.
///
/// ```
/// use http::HeaderMap;
/// use tollgate::{Rejection, Scheme, api_key};
///
/// #[api_key(header = "x-api-key")]
/// struct Key;
///
/// let mut headers = HeaderMap::new();
/// headers.insert("x-api-key", "s3cret".parse().unwrap());
/// let key = Key::authenticate(&headers)?;
/// assert!(key.secret_eq("s3cret"));
/// assert_eq!(format!("{key:?}"), "ApiKey(<redacted>)");
/// # Ok::<(), Rejection>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(Text);

#[derive(Clone)]
enum Text {
    Line(HeaderValue, Range<usize>),
    Target(PathAndQuery, Range<usize>),
    Copied(SecretString),
}

impl ApiKey {
    /// Returns the key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The range was checked when the key was found, so no fallback is taken.
        match &self.0 {
            Text::Line(line, range) => {
                let key = line.as_bytes().get(range.clone());
                key.and_then(|key| core::str::from_utf8(key).ok())
                    .unwrap_or_default()
            }
            Text::Target(target, range) => target.as_str().get(range.clone()).unwrap_or_default(),
            Text::Copied(key) => key.expose_secret(),
        }
    }

    /// Returns `true` if the client sent this key. The time that this takes does not reveal where a
    /// wrong key differs.
    #[must_use]
    pub fn secret_eq(&self, expected: impl SecretBytes) -> bool {
        secret_eq(self.as_str(), expected)
    }

    /// Finds the key in a request. `name` is the name of the header, if the key is in one.
    #[inline]
    pub(super) fn read<H: RequestHead + ?Sized>(
        head: &H,
        location: ApiKeyLocation,
        name: &HeaderName,
    ) -> Result<Self, RejectionReason> {
        let (line, found) = match location {
            ApiKeyLocation::Header(_) => in_header(head, name)?,
            ApiKeyLocation::Cookie { name, cross_site } => in_cookie(head, name, cross_site)?,
            ApiKeyLocation::Query(name) => return Self::of_query(head, name),
        };
        let line = line.value().ok_or(RejectionReason::Malformed)?;
        Ok(Self(Text::Line(line, found.range())))
    }

    /// Like [`read`](Self::read), but borrows the key if it does not have to be decoded.
    #[inline]
    pub(super) fn read_ref<'h, H: RequestHead + ?Sized>(
        head: &'h H,
        location: ApiKeyLocation,
        name: &HeaderName,
    ) -> Result<Cow<'h, str>, RejectionReason> {
        let (_, found) = match location {
            ApiKeyLocation::Header(_) => in_header(head, name)?,
            ApiKeyLocation::Cookie { name, cross_site } => in_cookie(head, name, cross_site)?,
            ApiKeyLocation::Query(name) => return in_query(head, name),
        };
        // The key was checked to be ASCII.
        Ok(core::str::from_utf8(found.credential)
            .unwrap_or_default()
            .into())
    }

    fn of_query<H: RequestHead + ?Sized>(head: &H, name: &str) -> Result<Self, RejectionReason> {
        let Some(target) = head.target() else {
            let key = in_query(head, name)?.into_owned();
            return Ok(Self(Text::Copied(key.into())));
        };
        let query = target.query().ok_or(RejectionReason::Missing)?;
        let range = match parameter(query, name)? {
            Cow::Owned(key) => return Ok(Self(Text::Copied(key.into()))),
            Cow::Borrowed(key) => {
                Located::within(target.as_str().as_bytes(), key.as_bytes()).range()
            }
        };
        Ok(Self(Text::Target(target, range)))
    }
}

#[inline]
fn in_header<'h, H: RequestHead + ?Sized>(
    head: &'h H,
    name: &HeaderName,
) -> Result<(HeaderLine<'h>, Located<'h>), RejectionReason> {
    let line = head.line(name)?;
    let key = trimmed(line.bytes());
    if key.is_empty() {
        Err(RejectionReason::Missing)
    } else if is_text(key) {
        Ok((line, Located::within(line.bytes(), key)))
    } else {
        Err(RejectionReason::Malformed)
    }
}

fn in_cookie<'h, H: RequestHead + ?Sized>(
    head: &'h H,
    name: &str,
    cross_site: bool,
) -> Result<(HeaderLine<'h>, Located<'h>), RejectionReason> {
    if !cross_site && is_cross_site(head) {
        return Err(RejectionReason::CrossSite);
    }
    cookie(head.lines(COOKIE.as_str()), name)
}

fn in_query<'h, H: RequestHead + ?Sized>(
    head: &'h H,
    name: &str,
) -> Result<Cow<'h, str>, RejectionReason> {
    parameter(head.query().ok_or(RejectionReason::Missing)?, name)
}

impl ApiKeyLocation {
    /// Returns `true` if a request has a value at this place, well-formed or not.
    pub(super) fn is_present(self, head: &(impl RequestHead + ?Sized)) -> bool {
        let is_missing = match self {
            Self::Header(name) => {
                let line = single(head.lines(name)).map(|line| trimmed(line.bytes()).is_empty());
                matches!(line, Ok(true) | Err(RejectionReason::Missing))
            }
            Self::Query(name) => {
                let query = head.query().unwrap_or_default();
                encoded(query, name) == Err(RejectionReason::Missing)
            }
            Self::Cookie { name, .. } => {
                let found = cookie(head.lines(COOKIE.as_str()), name);
                found.err() == Some(RejectionReason::Missing)
            }
        };
        !is_missing
    }
}

impl AsRef<str> for ApiKey {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Creates a key without a request, for a test that calls a handler with one.
impl From<&str> for ApiKey {
    fn from(key: &str) -> Self {
        Self(Text::Copied(key.into()))
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(<redacted>)")
    }
}
