//! The credentials that schemes yield, and how each is read from a request.

use core::marker::PhantomData;
use std::borrow::Cow;

use http::HeaderName;

use super::Scheme;
use super::api_key::{ApiKey, ApiKeyLocation};
use super::authorization::{Grammar, Located, after_name, bearer_token, is_field_value};
use super::authorization_value::AuthorizationValue;
use super::bearer_token::BearerToken;
use super::config::SchemeKind;
use super::http_basic::BasicCredentials;
use super::http_credentials::HttpCredentials;
use super::reason::RejectionReason;
use super::request_head::{AUTHORIZATION_NAME, HeaderLine, RequestHead};

/// A credential that a scheme yields: [`BearerToken`], [`AuthorizationValue`], [`ApiKey`],
/// [`BasicCredentials`] or [`HttpCredentials`], or an `Option` of one if `auto_error` is `false`.
pub trait Credential: sealed::Sealed + Sized + Send + 'static {
    /// The credential borrowed from the request: `&str` or `&[u8]`, a `Cow` if it may have to be
    /// decoded, the credential itself if it always has to be, or an `Option` of one.
    type Ref<'h>;

    /// `true` if a request without a credential is refused.
    const AUTO_ERROR: bool;

    /// The kind of a scheme that yields it, unless another one is set.
    const KIND: SchemeKind;

    #[doc(hidden)]
    fn read<S: Scheme + ?Sized, H: RequestHead + ?Sized>(head: &H)
    -> Result<Self, RejectionReason>;

    #[doc(hidden)]
    fn read_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self::Ref<'_>, RejectionReason>;

    /// Returns the credential that was found, or none if it may be absent.
    #[doc(hidden)]
    fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason>;

    #[doc(hidden)]
    fn or_absent_ref<'h>(
        found: Result<Self::Ref<'h>, RejectionReason>,
    ) -> Result<Self::Ref<'h>, RejectionReason>;
}

/// Implements [`Credential`] for a type and for an `Option` of it. The reasons are those for which
/// even a scheme with `auto_error = false` refuses a request.
macro_rules! credential {
    ($credential:ty, $borrowed:ty, $kind:expr, $read:ident, $read_ref:ident, [$($reason:ident)*]) => {
        impl sealed::Sealed for $credential {}
        impl sealed::Sealed for Option<$credential> {}

        impl Credential for $credential {
            type Ref<'h> = $borrowed;

            const AUTO_ERROR: bool = true;
            const KIND: SchemeKind = $kind;

            #[inline(always)]
            fn read<S: Scheme + ?Sized, H: RequestHead + ?Sized>(head: &H) -> Result<Self, RejectionReason> {
                $read::<S, H>(head)
            }

            #[inline(always)]
            fn read_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
                head: &H,
            ) -> Result<Self::Ref<'_>, RejectionReason> {
                $read_ref::<S, H>(head)
            }

            #[inline(always)]
            fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason> {
                found
            }

            #[inline(always)]
            fn or_absent_ref<'h>(
                found: Result<Self::Ref<'h>, RejectionReason>,
            ) -> Result<Self::Ref<'h>, RejectionReason> {
                found
            }
        }

        impl Credential for Option<$credential> {
            type Ref<'h> = Option<$borrowed>;

            const AUTO_ERROR: bool = false;
            const KIND: SchemeKind = $kind;

            #[inline(always)]
            fn read<S: Scheme + ?Sized, H: RequestHead + ?Sized>(head: &H) -> Result<Self, RejectionReason> {
                $read::<S, H>(head).map(Some)
            }

            #[inline(always)]
            fn read_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
                head: &H,
            ) -> Result<Self::Ref<'_>, RejectionReason> {
                $read_ref::<S, H>(head).map(Some)
            }

            #[inline(always)]
            fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason> {
                match found {
                    $(Err(reason @ RejectionReason::$reason) => Err(reason),)*
                    found => Ok(found.unwrap_or_default()),
                }
            }

            #[inline(always)]
            fn or_absent_ref<'h>(
                found: Result<Self::Ref<'h>, RejectionReason>,
            ) -> Result<Self::Ref<'h>, RejectionReason> {
                match found {
                    $(Err(reason @ RejectionReason::$reason) => Err(reason),)*
                    found => Ok(found.unwrap_or_default()),
                }
            }
        }
    };
}

credential!(
    BearerToken,
    &'h str,
    SchemeKind::OAuth2Bearer,
    token,
    token_ref,
    []
);
credential!(
    AuthorizationValue,
    &'h [u8],
    SchemeKind::OAuth2,
    value,
    value_ref,
    []
);
credential!(
    ApiKey,
    Cow<'h, str>,
    SchemeKind::ApiKey(ApiKeyLocation::Header("x-api-key")),
    key,
    key_ref,
    [CrossSite]
);
credential!(
    BasicCredentials,
    BasicCredentials,
    SchemeKind::HttpBasic,
    basic,
    basic,
    [Malformed]
);
credential!(
    HttpCredentials,
    &'h [u8],
    SchemeKind::Http { scheme: "Digest" },
    credentials,
    credentials_ref,
    []
);

/// Finds a token in an `Authorization` line.
#[inline(always)]
fn locate_token<S: Scheme + ?Sized>(line: &[u8]) -> Result<Located<'_>, RejectionReason> {
    let grammar = const {
        if S::CONFIG.strict {
            Grammar::Rfc6750
        } else {
            Grammar::Lenient
        }
    };
    match const { S::CONFIG.kind } {
        SchemeKind::OAuth2Bearer | SchemeKind::OpenIdConnect { .. } => bearer_token(line, grammar),
        SchemeKind::HttpBearer { .. } => match bearer_token(line, grammar)? {
            found if found.credential.is_empty() => Err(RejectionReason::Malformed),
            found => Ok(found),
        },
        _ => Err(RejectionReason::Missing),
    }
}

#[inline(always)]
fn token<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<BearerToken, RejectionReason> {
    let line = head.line(&AUTHORIZATION_NAME)?;
    let found = locate_token::<S>(line.bytes())?;
    let line = line.value().ok_or(RejectionReason::Malformed)?;
    Ok(BearerToken::new(line, found))
}

#[inline(always)]
fn token_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<&str, RejectionReason> {
    let found = locate_token::<S>(head.line(&AUTHORIZATION_NAME)?.bytes())?;
    // `bearer_token` has checked that the token is ASCII.
    Ok(core::str::from_utf8(found.credential).unwrap_or_default())
}

/// Returns the line of a scheme that takes any `Authorization` header.
#[inline(always)]
fn whole_line<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<HeaderLine<'_>, RejectionReason> {
    match const { S::CONFIG.kind } {
        SchemeKind::OAuth2 => match head.line(&AUTHORIZATION_NAME)? {
            line if line.is_field_value() => Ok(line),
            _ => Err(RejectionReason::Malformed),
        },
        _ => Err(RejectionReason::Missing),
    }
}

#[inline(always)]
fn value<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<AuthorizationValue, RejectionReason> {
    let line = whole_line::<S, H>(head)?.value();
    line.map(AuthorizationValue::from)
        .ok_or(RejectionReason::Malformed)
}

#[inline(always)]
fn value_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<&[u8], RejectionReason> {
    whole_line::<S, H>(head).map(HeaderLine::bytes)
}

#[inline]
fn key<S: Scheme + ?Sized, H: RequestHead + ?Sized>(head: &H) -> Result<ApiKey, RejectionReason> {
    match const { S::CONFIG.kind } {
        SchemeKind::ApiKey(location) => ApiKey::read(head, location, &KeyHeader::<S>::NAME),
        _ => Err(RejectionReason::Missing),
    }
}

#[inline]
fn key_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<Cow<'_, str>, RejectionReason> {
    match const { S::CONFIG.kind } {
        SchemeKind::ApiKey(location) => ApiKey::read_ref(head, location, &KeyHeader::<S>::NAME),
        _ => Err(RejectionReason::Missing),
    }
}

/// The header with the API key of a scheme.
struct KeyHeader<S: ?Sized>(PhantomData<S>);

impl<S: Scheme + ?Sized> KeyHeader<S> {
    const LOWER_CASE: [u8; MAX_HEADER_NAME] = lower_case(Self::WRITTEN);

    const WRITTEN: &'static str = match S::CONFIG.kind {
        SchemeKind::ApiKey(ApiKeyLocation::Header(name)) => name,
        _ => "authorization",
    };

    /// The name of the header. A constant, so that no request waits for it to be built.
    #[allow(
        clippy::declare_interior_mutable_const,
        reason = "a name without a reference count, so a copy costs nothing"
    )]
    const NAME: HeaderName = {
        let (name, _) = Self::LOWER_CASE.split_at(Self::WRITTEN.len());
        match core::str::from_utf8(name) {
            Ok(name) => HeaderName::from_static(name),
            Err(_) => HeaderName::from_static(Self::WRITTEN),
        }
    };
}

/// The longest name of a header with an API key.
pub(crate) const MAX_HEADER_NAME: usize = 128;

const fn lower_case(name: &str) -> [u8; MAX_HEADER_NAME] {
    let mut lower = [0; MAX_HEADER_NAME];
    let (start, _) = lower.split_at_mut(name.len());
    start.copy_from_slice(name.as_bytes());
    start.make_ascii_lowercase();
    lower
}

#[inline]
fn basic<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<BasicCredentials, RejectionReason> {
    match const { S::CONFIG.kind } {
        SchemeKind::HttpBasic => BasicCredentials::read(head.line(&AUTHORIZATION_NAME)?.bytes()),
        _ => Err(RejectionReason::Missing),
    }
}

/// Finds the credentials of an HTTP authentication scheme in an `Authorization` line.
fn locate_credentials<S: Scheme + ?Sized>(line: &[u8]) -> Result<Located<'_>, RejectionReason> {
    let SchemeKind::Http { scheme } = (const { S::CONFIG.kind }) else {
        return Err(RejectionReason::Missing);
    };
    let credentials = after_name(line, scheme).ok_or(RejectionReason::Missing)?;
    if credentials.is_empty() || !is_field_value(credentials) {
        return Err(RejectionReason::Malformed);
    }
    Ok(Located::within(line, credentials))
}

#[inline]
fn credentials<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<HttpCredentials, RejectionReason> {
    let line = head.line(&AUTHORIZATION_NAME)?;
    let found = locate_credentials::<S>(line.bytes())?;
    let line = line.value().ok_or(RejectionReason::Malformed)?;
    Ok(HttpCredentials::new(line, found))
}

#[inline]
fn credentials_ref<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<&[u8], RejectionReason> {
    let line = head.line(&AUTHORIZATION_NAME)?;
    locate_credentials::<S>(line.bytes()).map(|found| found.credential)
}

mod sealed {
    pub trait Sealed {}
}
