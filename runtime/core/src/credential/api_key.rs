//! The credential of an API key scheme.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use std::borrow::Cow;

use http::header::{AUTHORIZATION, COOKIE};
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::credential::authorization_line::{Located, is_text, trimmed};
use crate::credential::cookie::cookie;
use crate::credential::kind::{ApiKeyLocation, SchemeKind};
use crate::credential::query::{encoded, parameter};
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{HeaderLine, RequestHead, single};
use crate::credential::same_site::is_cross_site;
use crate::credential::{Credential, Declared, optional};
use crate::scheme::setting::rule::MAX_HEADER_NAME;
use crate::syntax::secret::{SecretBytes, secret_eq};

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
/// use doorward::{Rejection, Scheme, api_key};
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
                key.and_then(|key| core::str::from_utf8(key).ok()).unwrap_or_default()
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

    /// Returns `true` if a request has a value at this place, well-formed or not.
    pub(super) fn is_present(head: &(impl RequestHead + ?Sized), location: ApiKeyLocation) -> bool {
        let is_missing = match location {
            ApiKeyLocation::Header(name) => {
                let line = single(head.lines(name)).map(|line| trimmed(line.bytes()).is_empty());
                matches!(line, Ok(true) | Err(RejectionReason::Missing))
            }
            ApiKeyLocation::Query(name) => {
                let query = head.query().unwrap_or_default();
                encoded(query, name) == Err(RejectionReason::Missing)
            }
            ApiKeyLocation::Cookie { name, takes_first, .. } => {
                let found = cookie(head.lines(COOKIE.as_str()), name, takes_first);
                found.err() == Some(RejectionReason::Missing)
            }
        };
        !is_missing
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

impl Credential for ApiKey {
    type Ref<'h> = Cow<'h, str>;

    const AUTO_ERROR: bool = true;
    const KIND: SchemeKind = SchemeKind::ApiKey(ApiKeyLocation::Header("x-api-key"));

    #[inline]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason> {
        let (line, found) = match const { KeyOf::<D>::LOCATION } {
            ApiKeyLocation::Header(_) => in_header(head, &KeyOf::<D>::NAME)?,
            ApiKeyLocation::Cookie { name, cross_site, takes_first } => {
                in_cookie(head, name, cross_site, takes_first)?
            }
            ApiKeyLocation::Query(name) => return Self::of_query(head, name),
        };
        let line = line.value().ok_or(RejectionReason::Malformed)?;
        Ok(Self(Text::Line(line, found.range())))
    }

    #[inline]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Cow<'_, str>, RejectionReason> {
        let (_, found) = match const { KeyOf::<D>::LOCATION } {
            ApiKeyLocation::Header(_) => in_header(head, &KeyOf::<D>::NAME)?,
            ApiKeyLocation::Cookie { name, cross_site, takes_first } => {
                in_cookie(head, name, cross_site, takes_first)?
            }
            ApiKeyLocation::Query(name) => return in_query(head, name),
        };
        // The key was checked to be ASCII.
        Ok(core::str::from_utf8(found.credential).unwrap_or_default().into())
    }
}

// Without the key, a request that another site has caused would be let through.
optional!(ApiKey, Cow<'h, str>, CrossSite);

/// The key of a scheme.
struct KeyOf<D: ?Sized>(PhantomData<D>);

impl<D: Declared + ?Sized> KeyOf<D> {
    const LOCATION: ApiKeyLocation = match D::KIND {
        SchemeKind::ApiKey(location) => location,
        // `SchemeConfig::assert_yields` refuses any other kind.
        _ => ApiKeyLocation::Query(""),
    };

    const LOWER_CASE: [u8; MAX_HEADER_NAME] = lower_case(Self::LOCATION.name());

    /// The name of the header. A constant, so that no request waits for it to be built.
    const NAME: HeaderName = match Self::LOCATION {
        ApiKeyLocation::Header(name) => {
            let (lower, _) = Self::LOWER_CASE.split_at(name.len());
            match core::str::from_utf8(lower) {
                Ok(lower) => HeaderName::from_static(lower),
                Err(_) => HeaderName::from_static(name),
            }
        }
        _ => AUTHORIZATION,
    };
}

const fn lower_case(name: &str) -> [u8; MAX_HEADER_NAME] {
    let mut lower = [0; MAX_HEADER_NAME];
    let (start, _) = lower.split_at_mut(name.len());
    start.copy_from_slice(name.as_bytes());
    start.make_ascii_lowercase();
    lower
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
    takes_first: bool,
) -> Result<(HeaderLine<'h>, Located<'h>), RejectionReason> {
    if !cross_site && is_cross_site(head) {
        return Err(RejectionReason::CrossSite);
    }
    cookie(head.lines(COOKIE.as_str()), name, takes_first)
}

fn in_query<'h, H: RequestHead + ?Sized>(
    head: &'h H,
    name: &str,
) -> Result<Cow<'h, str>, RejectionReason> {
    parameter(head.query().ok_or(RejectionReason::Missing)?, name)
}

impl AsRef<str> for ApiKey {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Creates a key that was not in a request: for a handler that a test calls, or one that the
/// service has read itself.
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
