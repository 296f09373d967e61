//! Schemes, and how they check a request.

pub(crate) mod authorization;
pub(crate) mod authorization_value;
pub(crate) mod bearer_error;
pub(crate) mod bearer_token;
pub(crate) mod config;
pub(crate) mod credential;
pub(crate) mod flow;
pub(crate) mod rejection;

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

use self::authorization::{RejectionReason, single};
use self::config::SchemeConfig;
use self::credential::Credential;
use self::rejection::Rejection;
use crate::trace;

/// An OAuth2 scheme.
///
/// The attributes `#[oauth2]`, `#[oauth2_password_bearer]` and
/// `#[oauth2_authorization_code_bearer]` implement this trait. They also implement
/// [`Dependency`](crate::Dependency), which `#[security(…)]` requires. A type that implements
/// `Scheme` manually is not a dependency.
///
/// The functions of this trait check a request without a framework. All three make the same
/// decision:
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
/// use tollgate::{BearerToken, Rejection, Scheme, oauth2_password_bearer};
///
/// #[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// let mut headers = HeaderMap::new();
/// let refused: Rejection = OAuth2::authenticate(&headers).unwrap_err();
/// assert_eq!(refused.www_authenticate(), Some("Bearer"));
///
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"));
/// let token: BearerToken = OAuth2::authenticate(&headers)?;
/// let borrowed: &str = OAuth2::authenticate_ref(&headers)?;
/// let from_bytes: &str = OAuth2::authenticate_lines([&b"Bearer s3cret"[..]])?;
/// assert!(token.as_str() == borrowed && borrowed == from_bytes);
///
/// assert_eq!(OAuth2::CONFIG.flows.password.unwrap().scopes[0].name, "items");
/// # Ok::<(), Rejection>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an OAuth2 scheme",
    label = "not a scheme",
    note = "declare one: `#[oauth2_password_bearer(token_url = \"token\")] struct OAuth2;`"
)]
pub trait Scheme: 'static {
    /// The credential that the scheme yields: [`BearerToken`](crate::BearerToken) or
    /// [`AuthorizationValue`](crate::AuthorizationValue), or an `Option` of one if `auto_error` is
    /// `false`.
    type Credential: Credential;

    /// The scheme's configuration.
    const CONFIG: SchemeConfig;

    /// Checks the `Authorization` lines of a request.
    ///
    /// The credential is a reference-counted clone of the header value: no byte is copied.
    ///
    /// # Errors
    ///
    /// Returns the response to send if there is no credential, unless `auto_error` is `false`.
    #[inline]
    fn authenticate(headers: &HeaderMap) -> Result<Self::Credential, Rejection> {
        let find = || {
            line(headers).and_then(|line| {
                let found = Self::Credential::locate(line.as_bytes(), Self::CONFIG.strict)?;
                Ok(Self::Credential::owned(line.clone(), found))
            })
        };
        if trace::is_heard() {
            return trace::heard(|| refused_or::<Self>(traced::<Self, _>(find())));
        }
        refused_or::<Self>(find())
    }

    /// Checks the `Authorization` lines of a request and borrows the credential from them: `&str`
    /// for a token, `&[u8]` for a whole header value.
    ///
    /// # Errors
    ///
    /// Same as [`authenticate`](Self::authenticate).
    #[inline]
    fn authenticate_ref(headers: &HeaderMap) -> Result<CredentialRef<'_, Self>, Rejection> {
        let find = || line(headers).and_then(|line| borrowed::<Self>(line.as_bytes()));
        if trace::is_heard() {
            return trace::heard(|| refused_or_ref::<Self>(traced::<Self, _>(find())));
        }
        refused_or_ref::<Self>(find())
    }

    /// Checks raw `Authorization` lines and copies the line with the credential.
    ///
    /// # Errors
    ///
    /// Same as [`authenticate`](Self::authenticate).
    #[doc(hidden)]
    fn authenticate_copied<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
    ) -> Result<Self::Credential, Rejection> {
        let find = || {
            single(lines).and_then(|line| {
                let found = Self::Credential::locate(line, Self::CONFIG.strict)?;
                let line = HeaderValue::from_bytes(line).map_err(|_| RejectionReason::Malformed)?;
                Ok(Self::Credential::owned(line, found))
            })
        };
        if trace::is_heard() {
            return trace::heard(|| refused_or::<Self>(traced::<Self, _>(find())));
        }
        refused_or::<Self>(find())
    }

    /// Checks raw `Authorization` lines, for callers without a [`HeaderMap`]. Each line is the
    /// value of a header, without its name.
    ///
    /// # Errors
    ///
    /// Same as [`authenticate`](Self::authenticate).
    #[inline]
    fn authenticate_lines<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
    ) -> Result<CredentialRef<'h, Self>, Rejection> {
        let find = || single(lines).and_then(borrowed::<Self>);
        if trace::is_heard() {
            return trace::heard(|| refused_or_ref::<Self>(traced::<Self, _>(find())));
        }
        refused_or_ref::<Self>(find())
    }
}

/// Returns the only `Authorization` line of a request.
#[inline(always)]
fn line(headers: &HeaderMap) -> Result<&HeaderValue, RejectionReason> {
    static NAME: HeaderName = AUTHORIZATION;
    if headers.len() == headers.keys_len() {
        // No name occurs twice, so the cheaper lookup finds every line.
        single(headers.get(&NAME))
    } else {
        line_of_many(headers)
    }
}

#[cold]
fn line_of_many(headers: &HeaderMap) -> Result<&HeaderValue, RejectionReason> {
    single(headers.get_all(AUTHORIZATION))
}

/// Borrows the credential from a line.
#[inline(always)]
fn borrowed<S: Scheme + ?Sized>(line: &[u8]) -> Result<CredentialRef<'_, S>, RejectionReason> {
    S::Credential::locate(line, S::CONFIG.strict).map(S::Credential::borrowed)
}

/// Records whether a credential was found.
fn traced<S: Scheme + ?Sized, T>(found: Result<T, RejectionReason>) -> Result<T, RejectionReason> {
    trace::scheme(S::CONFIG.scheme_name, found)
}

/// Returns the credential that was found, none if it may be absent, or the scheme's rejection.
#[inline(always)]
fn refused_or<S: Scheme + ?Sized>(
    found: Result<S::Credential, RejectionReason>,
) -> Result<S::Credential, Rejection> {
    S::Credential::or_absent(found).or_else(refused::<S, _>)
}

/// Like [`refused_or`], for a borrowed credential.
#[inline(always)]
fn refused_or_ref<S: Scheme + ?Sized>(
    found: Result<CredentialRef<'_, S>, RejectionReason>,
) -> Result<CredentialRef<'_, S>, Rejection> {
    S::Credential::or_absent_ref(found).or_else(refused::<S, _>)
}

/// Refuses a request with a rejection that is built at compile time.
#[inline(always)]
fn refused<S: Scheme + ?Sized, T>(reason: RejectionReason) -> Result<T, Rejection> {
    Err(match reason {
        RejectionReason::Missing => const { S::CONFIG.rejection_of(RejectionReason::Missing) },
        RejectionReason::Repeated => const { S::CONFIG.rejection_of(RejectionReason::Repeated) },
        RejectionReason::Malformed => const { S::CONFIG.rejection_of(RejectionReason::Malformed) },
    })
}

/// The credential that a scheme yields, borrowed from the request.
pub type CredentialRef<'h, S> = <<S as Scheme>::Credential as Credential>::Ref<'h>;
